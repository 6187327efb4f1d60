// Gives out numbers in the order in which names are first asked for.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/otf2_names.hpp"

namespace atrium::profile {
namespace {

struct AttributeText {
  const char* name;
  const char* meaning;
  OTF2_Type type;
};
// In the order of Otf2Attribute.
constexpr AttributeText attributes[] = {
    {"called from", "the line and function of the program that calls", OTF2_TYPE_STRING},
    {"source line", "the line of the program that calls", OTF2_TYPE_SOURCE_CODE_LOCATION},
    {"ended by PE", "whose store ended the wait", OTF2_TYPE_UINT32},
    {"ended by", "the store that ended the wait", OTF2_TYPE_STRING},
    {"unfinished", "how the PE ended in it", OTF2_TYPE_STRING},
};

// Readers warn of numbers that are out of order.
template <class Thing>
std::map<uint32_t, const Thing*> by_number(const std::map<Thing, uint32_t>& numbers) {
  std::map<uint32_t, const Thing*> sorted;
  for (const auto& [thing, number] : numbers) sorted[number] = &thing;
  return sorted;
}

}  // namespace

OTF2_StringRef Otf2Names::text(const std::string& text) {
  return texts_.try_emplace(text, static_cast<OTF2_StringRef>(texts_.size())).first->second;
}

const Otf2Names::Line& Otf2Names::line(const SourcePlace& place) {
  const auto [found, added] = lines_.try_emplace(&place);
  if (!added) return found->second;
  found->second = {text(place.text()), OTF2_UNDEFINED_SOURCE_CODE_LOCATION};
  if (place.file.empty()) return found->second;
  const auto next = static_cast<OTF2_SourceCodeLocationRef>(sources_.size());
  found->second.source = sources_.try_emplace({text(place.file), place.line}, next).first->second;
  return found->second;
}

OTF2_RegionRef Otf2Names::routine(interpose::Routine routine, const std::string& name) {
  const auto [found, added] =
      routines_.try_emplace({routine, name}, static_cast<OTF2_RegionRef>(regions_.size()));
  if (added) regions_.push_back({text(name), otf2_routine(routine).role, OTF2_PARADIGM_SHMEM});
  return found->second;
}

OTF2_RegionRef Otf2Names::region(const std::string& name) {
  const auto [found, added] = named_.try_emplace(name, static_cast<OTF2_RegionRef>(regions_.size()));
  if (added) regions_.push_back({text(name), OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER});
  return found->second;
}

bool Otf2Names::write(const Otf2Library& otf2, OTF2_GlobalDefWriter* writer) {
  OTF2_StringRef names[std::size(attributes)], meanings[std::size(attributes)];
  for (size_t i = 0; i < std::size(attributes); ++i)
    names[i] = text(attributes[i].name), meanings[i] = text(attributes[i].meaning);
  bool good = true;
  for (const auto& [number, string] : by_number(texts_))
    good = good && otf2.GlobalDefWriter_WriteString(writer, number, string->c_str()) == OTF2_SUCCESS;
  for (size_t i = 0; i < std::size(attributes); ++i)
    good = good && otf2.GlobalDefWriter_WriteAttribute(writer, static_cast<OTF2_AttributeRef>(i), names[i],
                                                       meanings[i], attributes[i].type) == OTF2_SUCCESS;
  for (const auto& [number, place] : by_number(sources_))
    good = good && otf2.GlobalDefWriter_WriteSourceCodeLocation(
                       writer, number, place->first, static_cast<uint32_t>(place->second)) == OTF2_SUCCESS;
  for (size_t i = 0; i < regions_.size(); ++i)
    good = good && otf2.GlobalDefWriter_WriteRegion(writer, static_cast<OTF2_RegionRef>(i), regions_[i].name,
                                                    regions_[i].name, 0, regions_[i].role,
                                                    regions_[i].paradigm, OTF2_REGION_FLAG_NONE,
                                                    OTF2_UNDEFINED_STRING, 0, 0) == OTF2_SUCCESS;
  return good;
}

}  // namespace atrium::profile
