// Begins the race check of a rank at MPI_Init, and ends it at MPI_Finalize.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::race {

// Collective, when MPI is initialised. Ends the job where the check cannot be made.
void begin_program(void* caller);
// Collective, before MPI ends.
void end_program();
void note_abort();
void note_session();  // without MPI_Init, nothing is checked

}  // namespace atrium::race
