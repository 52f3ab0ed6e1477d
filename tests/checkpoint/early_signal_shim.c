/* Preloaded into the program: asks it to stop before main, while libraries set themselves up. */
#include <signal.h>

__attribute__((constructor)) static void ask_to_stop(void) { raise(SIGUSR1); }
