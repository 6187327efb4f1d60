// Node-shared windows for C++20: NodeWindow<T> owns one, and its parts are spans and two-dimensional views.
// SPDX-License-Identifier: BSD-3-Clause
//
// A failing call throws WindowError where the communicator's error handler returns (MPI_ERRORS_RETURN).
// The destructor is collective like atrium_window_free. It does nothing while an exception unwinds the stack,
// because the other ranks would be waited for: such a window is then reported at MPI_Finalize.
#ifndef ATRIUM_NODE_WINDOW_HPP
#define ATRIUM_NODE_WINDOW_HPP

#include <atrium/node_window.h>

#include <cstddef>
#include <exception>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace atrium {

class WindowError : public std::runtime_error {
 public:
  explicit WindowError(int code) : std::runtime_error(atrium_window_strerror(code)), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

// Rows of `columns` elements, each `stride` elements after the one before. view(i, j) is an element, view[i]
// a row.
template <class T>
class View2D {
 public:
  View2D(T* base, std::size_t rows, std::size_t columns, std::size_t stride) noexcept
      : base_(base), rows_(rows), columns_(columns), stride_(stride) {}

  T& operator()(std::size_t row, std::size_t column) const noexcept { return base_[row * stride_ + column]; }
  std::span<T> operator[](std::size_t row) const noexcept { return {base_ + row * stride_, columns_}; }
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  std::size_t stride() const noexcept { return stride_; }

  // Requires: the block lies within the view.
  View2D block(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) const noexcept {
    return {base_ + row * stride_ + column, rows, columns, stride_};
  }

 private:
  T* base_;
  std::size_t rows_, columns_, stride_;
};

// Throws std::out_of_range when there are not that many elements.
template <class T>
View2D<T> as_rows(std::span<T> elements, std::size_t rows, std::size_t columns, std::size_t stride) {
  const std::size_t size = elements.size();
  const bool fits = columns <= size && (rows <= 1 || stride == 0 || rows - 1 <= (size - columns) / stride);
  if (columns > stride || (rows > 0 && !fits)) throw std::out_of_range("there are not that many elements");
  return {elements.data(), rows, columns, stride};
}

// All parts one after the other, in any layout: element i counts from the first element of rank 0.
template <class T>
class WholeView {
 public:
  explicit WholeView(std::vector<std::span<T>> parts) : parts_(std::move(parts)) {
    for (const auto& part : parts_) ends_.push_back(size() + part.size());
  }

  std::size_t size() const noexcept { return ends_.empty() ? 0 : ends_.back(); }
  const std::vector<std::span<T>>& parts() const noexcept { return parts_; }

  // Requires: i < size(). A search over the ranks: for inner loops use parts().
  T& operator[](std::size_t i) const noexcept {
    std::size_t rank = 0;
    while (i >= ends_[rank]) rank++;
    return parts_[rank][i - (ends_[rank] - parts_[rank].size())];
  }

 private:
  std::vector<std::span<T>> parts_;
  std::vector<std::size_t> ends_;
};

template <class T>
class NodeWindow {
  static_assert(std::is_trivially_copyable_v<T>,
                "several processes see the bytes: no pointers, no constructors");

 public:
  using Options = atrium_window_options;

  // Collective over comm: my part gets `count` elements.
  NodeWindow(MPI_Comm comm, std::size_t count, const Options& options = {})
      : NodeWindow(atrium_window_create, comm, count, options) {}

  // Collective over comm: one array of `count` elements per node, in the part of its rank 0.
  static NodeWindow per_node(MPI_Comm comm, std::size_t count, const Options& options = {}) {
    return NodeWindow(atrium_window_create_per_node, comm, count, options);
  }

  NodeWindow(NodeWindow&& other) noexcept : window_(std::exchange(other.window_, nullptr)) {}
  NodeWindow& operator=(NodeWindow&& other) noexcept {
    std::swap(window_, other.window_);
    return *this;
  }
  ~NodeWindow() {
    int over = 0;
    MPI_Finalized(&over);
    if (window_ != nullptr && !over && std::uncaught_exceptions() == 0) atrium_window_free(&window_);
  }
  void free() { require(atrium_window_free(&window_)); }

  int rank() const { return atrium_window_rank(window_); }
  int size() const { return atrium_window_size(window_); }
  int rank_of(int comm_rank) const { return atrium_window_rank_of(window_, comm_rank); }
  MPI_Comm comm() const { return atrium_window_comm(window_); }
  atrium_window* handle() const noexcept { return window_; }

  std::span<T> part(int rank) const {
    T* base = nullptr;
    std::size_t bytes = 0;
    require(atrium_window_part(window_, rank, &base, &bytes));
    return {base, bytes / sizeof(T)};
  }
  std::span<T> mine() const { return part(rank()); }
  std::span<T> beginning() const { return part(MPI_PROC_NULL); }

  // A part as rows; throws std::out_of_range when it has not that many elements.
  View2D<T> rows_of(int rank, std::size_t rows, std::size_t columns, std::size_t stride) const {
    return as_rows(part(rank), rows, columns, stride);
  }
  View2D<T> rows_of(int rank, std::size_t columns) const {
    return rows_of(rank, columns == 0 ? 0 : part(rank).size() / columns, columns, columns);
  }

  // The whole as one array, for as_rows, too: without gaps in ATRIUM_CONTIGUOUS, elsewhere mostly MPI_ERR_ARG.
  std::span<T> array() const {
    T* base = nullptr;
    std::size_t bytes = 0;
    require(atrium_window_whole(window_, &base, &bytes));
    return {base, bytes / sizeof(T)};
  }

  // The whole in any layout.
  WholeView<T> whole() const {
    std::vector<std::span<T>> parts;
    for (int rank = 0; rank < size(); rank++) parts.push_back(part(rank));
    return WholeView<T>(std::move(parts));
  }

  void freeze() { require(atrium_window_freeze(window_)); }
  void post(int rank) { require(atrium_window_post(window_, rank)); }
  void wait(int rank) { require(atrium_window_wait(window_, rank)); }
  bool test(int rank) {
    int done = 0;
    require(atrium_window_test(window_, rank, &done));
    return done != 0;
  }
  void barrier() { require(atrium_window_barrier(window_)); }
  void fence() { require(atrium_window_fence(window_)); }
  void lock_all() { require(atrium_window_lock_all(window_)); }
  void sync() { require(atrium_window_sync(window_)); }
  void unlock_all() { require(atrium_window_unlock_all(window_)); }

 private:
  using Create = int(MPI_Comm, std::size_t, const Options*, atrium_window**);

  NodeWindow(Create* create, MPI_Comm comm, std::size_t count, const Options& options) {
    // A product that does not fit is passed on as a size that cannot be had, so that all ranks learn of it.
    const bool fits = count <= static_cast<std::size_t>(-1) / sizeof(T);
    require(create(comm, fits ? count * sizeof(T) : static_cast<std::size_t>(-1), &options, &window_));
  }
  static void require(int code) {
    if (code != MPI_SUCCESS) throw WindowError(code);
  }

  atrium_window* window_ = nullptr;
};

}  // namespace atrium

#endif
