// What the events of an archive refer to by numbers: texts, lines of the program, routines and regions.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profile/report/places.hpp"
#include "profile/trace/otf2_library.hpp"
#include "profile/trace/otf2_routines.hpp"

namespace atrium::profile {

// Attributes of events.
enum class Otf2Attribute : OTF2_AttributeRef { called_from, source_line, ended_by_pe, ended_by, unfinished };

class Otf2Names {
 public:
  struct Line {
    OTF2_StringRef text;
    OTF2_SourceCodeLocationRef source;  // OTF2_UNDEFINED_SOURCE_CODE_LOCATION: the file is unknown
  };

  OTF2_StringRef text(const std::string& text);
  const Line& line(const SourcePlace& place);
  OTF2_RegionRef routine(interpose::Routine routine, const std::string& name);  // as the program writes it
  OTF2_RegionRef region(const std::string& name);                               // that the program names

  // Writes all of them; no new name may be asked for afterwards.
  bool write(const Otf2Library& otf2, OTF2_GlobalDefWriter* writer);

 private:
  struct Region {
    OTF2_StringRef name;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
  };

  std::map<std::string, OTF2_StringRef> texts_{{"", 0}};
  std::map<const SourcePlace*, Line> lines_;
  std::map<std::pair<OTF2_StringRef, int>, OTF2_SourceCodeLocationRef> sources_;
  std::map<std::pair<interpose::Routine, std::string>, OTF2_RegionRef> routines_;
  std::map<std::string, OTF2_RegionRef> named_;
  std::vector<Region> regions_;
};

}  // namespace atrium::profile
