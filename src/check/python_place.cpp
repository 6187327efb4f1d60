// Asks the interpreter that is in the process, if one is, by its C interface.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/python_place.hpp"

#include <dlfcn.h>

#include <array>
#include <string_view>

#include "atrium_words.hpp"

namespace atrium {
namespace {

using Object = void*;

template <class Function>
bool find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

// What all versions of CPython 3 have. The names of the members are CPython's.
struct Python {
  int (*is_initialized)() = nullptr;
  Object (*state_of_this_thread)() = nullptr;
  int (*ensure)() = nullptr;  // an enumeration's values
  void (*release)(int) = nullptr;
  Object (*frame)() = nullptr;  // of the thread that has the lock; borrowed, as what get_item returns
  int (*line_of)(Object) = nullptr;
  Object (*attribute)(Object, const char*) = nullptr;
  Object (*get_item)(Object, const char*) = nullptr;
  const char* (*text_of)(Object) = nullptr;
  void (*give_back)(Object) = nullptr;
  void (*clear_error)() = nullptr;
  bool is_there = find(is_initialized, "Py_IsInitialized") &&
                  find(state_of_this_thread, "PyGILState_GetThisThreadState") &&
                  find(ensure, "PyGILState_Ensure") && find(release, "PyGILState_Release") &&
                  find(frame, "PyEval_GetFrame") && find(line_of, "PyFrame_GetLineNumber") &&
                  find(attribute, "PyObject_GetAttrString") && find(get_item, "PyDict_GetItemString") &&
                  find(text_of, "PyUnicode_AsUTF8") && find(give_back, "Py_DecRef") &&
                  find(clear_error, "PyErr_Clear");
  int (*is_ending)() = nullptr;  // public from 3.13 on
  bool knows_its_end = find(is_ending, "Py_IsFinalizing") || find(is_ending, "_Py_IsFinalizing");
};

// A reference to an object, or to none.
class Reference {
 public:
  Reference(const Python& python, Object object) : python_(python), object_(object) {}
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() {
    if (object_) python_.give_back(object_);
  }
  Object get() const { return object_; }
  void become(Object other) {
    if (object_) python_.give_back(object_);
    object_ = other;
  }

 private:
  const Python& python_;
  Object object_;
};

// Requires: the interpreter's lock, as all that follows.
Object attribute_of(const Python& python, Object object, const char* name) {
  Object found = object ? python.attribute(object, name) : nullptr;
  if (!found) python.clear_error();
  return found;
}

std::string text_of(const Python& python, Object text) {
  const char* const found = text ? python.text_of(text) : nullptr;
  if (!found) python.clear_error();
  return found ? found : "";
}

std::string text_at(const Python& python, Object object, const char* name) {
  const Reference text(python, attribute_of(python, object, name));
  return text_of(python, text.get());
}

std::string module_of(const Python& python, Object frame) {
  const Reference globals(python, attribute_of(python, frame, "f_globals"));
  return globals.get() ? text_of(python, python.get_item(globals.get(), "__name__")) : std::string();
}

bool binds_openshmem(std::string_view module) {
  constexpr std::array<std::string_view, 2> packages = {"atrium", "shmem4py"};
  for (const std::string_view package : packages)
    if (module.starts_with(package) && (module.size() == package.size() || module[package.size()] == '.'))
      return true;
  return false;
}

// "heat.py"; "solver/__init__.py", since many have such a file.
std::string short_name(const std::string& path) {
  const std::string name = file_name_of(path);
  if (!name.starts_with("__") || name.size() == path.size()) return name;
  return file_name_of(path.substr(0, path.size() - name.size() - 1)) + "/" + name;
}

std::string place_of(const Python& python, Object frame) {
  const Reference code(python, attribute_of(python, frame, "f_code"));
  const std::string file = text_at(python, code.get(), "co_filename");
  const std::string function = text_at(python, code.get(), "co_name");
  if (file.empty()) return {};
  const std::string line = short_name(file) + ":" + std::to_string(python.line_of(frame));
  return function.empty() || function.starts_with('<') ? line : line + " in " + function;
}

// Behind the outermost frame comes None, which belongs to no module and has no code.
std::string innermost_place(const Python& python) {
  Object frame = python.frame();
  Reference outer(python, nullptr);
  while (frame && binds_openshmem(module_of(python, frame))) {
    outer.become(attribute_of(python, frame, "f_back"));
    frame = outer.get();
  }
  return frame ? place_of(python, frame) : std::string();
}

// While the interpreter ends, who asks for its lock never comes back.
bool can_be_asked(const Python& python) {
  return python.is_there && python.is_initialized() && !(python.is_ending && python.is_ending()) &&
         python.state_of_this_thread();
}

}  // namespace

std::string place_in_python() {
  static const Python python;
  if (!can_be_asked(python)) return {};
  const int state = python.ensure();
  std::string place = innermost_place(python);
  python.release(state);
  return place;
}

}  // namespace atrium
