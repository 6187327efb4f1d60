! Node-shared windows for Fortran: the verbs of atrium/node_window.h, over c_f_pointer. It makes no code of its own.
! SPDX-License-Identifier: BSD-3-Clause
!
! A window is a type(c_ptr). Functions return MPI_SUCCESS or an error class, as in C. Communicators are the integers
! of mpif.h and `use mpi`; with `use mpi_f08` give comm%MPI_VAL.
!
!     type(c_ptr) :: window, address
!     real(c_double), pointer, contiguous, asynchronous :: mine(:)
!     ierror = atrium_window_create(MPI_COMM_WORLD, 8_c_size_t * n, ATRIUM_PADDED, ATRIUM_BY_NODE, window)
!     ierror = atrium_window_part(window, rank, address, bytes)
!     call c_f_pointer(address, mine, [n])
!
! `asynchronous` keeps the compiler from carrying values of the pointer across a call that synchronises.
module atrium_node_window
  use, intrinsic :: iso_c_binding, only: c_int, c_intptr_t, c_size_t, c_ptr
  implicit none
  private :: c_int, c_intptr_t, c_size_t, c_ptr

  integer(c_int), parameter :: ATRIUM_PADDED = 0, ATRIUM_CONTIGUOUS = 1, ATRIUM_SEPARATE = 2
  integer(c_int), parameter :: ATRIUM_BY_NODE = 0, ATRIUM_BY_NUMA = 1

  interface
    ! Collective: my part gets so many bytes.
    integer(c_int) function atrium_window_create(comm, bytes, layout, domain, window) &
        bind(C, name="atrium_window_create_f")
      import
      integer(c_int), value :: comm, layout, domain
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(out) :: window
    end function

    ! Collective: so many bytes per node, in the part of its rank 0.
    integer(c_int) function atrium_window_create_per_node(comm, bytes, layout, domain, window) &
        bind(C, name="atrium_window_create_per_node_f")
      import
      integer(c_int), value :: comm, layout, domain
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(out) :: window
    end function

    ! Collective; window becomes c_null_ptr.
    integer(c_int) function atrium_window_free(window) bind(C)
      import
      type(c_ptr), intent(inout) :: window
    end function

    ! Collective: read-only from here.
    integer(c_int) function atrium_window_freeze(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    ! Ranks on the node.
    integer(c_int) function atrium_window_rank(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    integer(c_int) function atrium_window_size(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    integer(c_int) function atrium_window_rank_of(window, comm_rank) bind(C)
      import
      type(c_ptr), value :: window
      integer(c_int), value :: comm_rank
    end function

    ! Where I see a rank's part, for c_f_pointer; MPI_PROC_NULL is the beginning of the window.
    integer(c_int) function atrium_window_part(window, rank, base, bytes) bind(C)
      import
      type(c_ptr), value :: window
      integer(c_int), value :: rank
      type(c_ptr), intent(out) :: base
      integer(c_size_t), intent(out) :: bytes
    end function

    type(c_ptr) function atrium_window_mine(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    ! All parts as one array (ATRIUM_CONTIGUOUS).
    integer(c_int) function atrium_window_whole(window, base, bytes) bind(C)
      import
      type(c_ptr), value :: window
      type(c_ptr), intent(out) :: base
      integer(c_size_t), intent(out) :: bytes
    end function

    integer(c_int) function atrium_window_memory_node(window, rank) bind(C)
      import
      type(c_ptr), value :: window
      integer(c_int), value :: rank
    end function

    ! MPI's view of it.
    integer(c_int) function atrium_window_comm(window) bind(C, name="atrium_window_comm_f")
      import
      type(c_ptr), value :: window
    end function

    ! The part begins at displacement, an integer(MPI_ADDRESS_KIND), in bytes.
    integer(c_int) function atrium_window_mpi(window, rank, displacement) bind(C, name="atrium_window_mpi_f")
      import
      type(c_ptr), value :: window
      integer(c_int), value :: rank
      integer(c_intptr_t), intent(out) :: displacement
    end function

    ! Neighbour flags.
    integer(c_int) function atrium_window_post(window, rank) bind(C)
      import
      type(c_ptr), value :: window
      integer(c_int), value :: rank
    end function

    integer(c_int) function atrium_window_wait(window, rank) bind(C)
      import
      type(c_ptr), value :: window
      integer(c_int), value :: rank
    end function

    integer(c_int) function atrium_window_test(window, rank, done) bind(C)
      import
      type(c_ptr), value :: window
      integer(c_int), value :: rank
      integer(c_int), intent(out) :: done
    end function

    ! The node barrier and the standard's epochs.
    integer(c_int) function atrium_window_barrier(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    integer(c_int) function atrium_window_fence(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    integer(c_int) function atrium_window_lock_all(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    integer(c_int) function atrium_window_sync(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    integer(c_int) function atrium_window_unlock_all(window) bind(C)
      import
      type(c_ptr), value :: window
    end function

    ! The text of an error, as a C string.
    type(c_ptr) function atrium_window_strerror(code) bind(C)
      import
      integer(c_int), value :: code
    end function

    ! Collective: the nodes of a communicator, and their leaders (atrium/nodes.h).
    integer(c_int) function atrium_nodes_create(comm, nodes) bind(C, name="atrium_nodes_create_f")
      import
      integer(c_int), value :: comm
      type(c_ptr), intent(out) :: nodes
    end function

    ! Collective; nodes becomes c_null_ptr.
    integer(c_int) function atrium_nodes_free(nodes) bind(C)
      import
      type(c_ptr), intent(inout) :: nodes
    end function

    ! The number of my node, from 0, and how many there are.
    integer(c_int) function atrium_nodes_mine(nodes) bind(C)
      import
      type(c_ptr), value :: nodes
    end function

    integer(c_int) function atrium_nodes_count(nodes) bind(C)
      import
      type(c_ptr), value :: nodes
    end function

    ! The communicator of my node, whose rank 0 leads, and that of the leaders: MPI_COMM_NULL to all others.
    integer(c_int) function atrium_nodes_comm(nodes) bind(C, name="atrium_nodes_comm_f")
      import
      type(c_ptr), value :: nodes
    end function

    integer(c_int) function atrium_nodes_leaders(nodes) bind(C, name="atrium_nodes_leaders_f")
      import
      type(c_ptr), value :: nodes
    end function
  end interface
end module
