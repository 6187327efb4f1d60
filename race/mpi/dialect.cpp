// What the race checker's messages say to programs of MPI, and what orders accesses there (race/model/dialect.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/dialect.hpp"

namespace atrium::race {
namespace {

constexpr const char* for_the_rank =
    "from then on each message from or to this rank counts for all that its sender had sent by then: "
    "races with what the sender did behind the message may be missed";
constexpr const char* for_the_tag =
    "each message of that communicator, rank and tag counts for all of them that were sent by then: "
    "races with what the sender did behind the message may be missed";
constexpr const char* for_the_receive =
    "such a receive counts for all that the sender had sent by then: "
    "races with what the sender did behind the message may be missed";

}  // namespace

const Dialect dialect = {
    .process = "rank",
    .checks_by_itself = true,
    .volatiles_order = true,
    .to_order =
        "a barrier between the two, with MPI_Win_sync before and behind it, or MPI_Win_fence, or a message",
    .same_type = "atomic operations of one size for the same word",
    .limits =
        {{"it is not known which message a call sends or receives", for_the_rank},
         {"a call of the MPI failed", for_the_rank},
         {"more than 1,024 messages were under way to a rank", for_the_receive},
         {"a receive was complete before an earlier one that might have taken its message, for any rank "
          "or tag or perhaps cancelled",
          for_the_receive},
         {"a send was cancelled", for_the_tag},
         {"sends with one communicator, rank and tag began at the same time, of threads or by MPI_Startall",
          for_the_tag},
         {"receives that might have got the same message began at the same time, of threads or by "
          "MPI_Startall",
          for_the_receive},
         {"messages of a communicator may overtake each other, by its hint mpi_assert_allow_overtaking",
          for_the_tag},
         {"ranks of other nodes took part",
          "what goes through them counts for more than it orders, and what they access is not seen: races "
          "may be missed"}},
};

}  // namespace atrium::race
