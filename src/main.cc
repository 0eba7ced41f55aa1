// The tool. Everything is in cli/; this file only passes on the arguments.
#include "cli/run.h"

int main(int argc, char** argv) { return sw::run_command_line(argc, argv); }
