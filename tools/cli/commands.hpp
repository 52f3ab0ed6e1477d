// The commands of the program as plain functions of their options: they know no command line, and leave every error to
// main.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/log.hpp"
#include "engine/base/types.hpp"
#include "engine/transport.hpp"

namespace weft::tools {

/// A config file and the `--set table.key=value` that come after it.
struct ConfigChoice {
  std::string path;
  std::vector<std::string> overrides;
};

struct RunOptions {
  ConfigChoice config;
  std::string out;                ///< HDF5 result; empty: none
  std::string json;               ///< JSON summary; "-": standard output, which then holds nothing else; empty: none
  std::string progress = "auto";  ///< auto, always or never
  std::string resume;             ///< checkpoint to go on from
  u32 threads = 1;                ///< ranks in each process
  bool allow_unused = false;      ///< keys of the config file may have no effect
  bool slowdown = false;          ///< run each job alone, too
  bool cosim = false;             ///< with what [cosim] names
  bool print_config = false;      ///< print frozen_toml of the config and do nothing else
  LogChoice messages;             ///< if quiet, there is neither progress nor a summary in text
};
/// Simulates. Collective over the ranks of `transport`; rank 0 writes what comes out. The outputs are tried before the
/// simulation starts. Throws what Config::load, validate, simulate and the writers throw.
void run_simulation(const RunOptions& options, engine::Transport& transport);

struct DescribeOptions {
  std::vector<std::string> words;
  std::string json;    ///< all of it as JSON; "-": standard output, which then holds nothing else; empty: text
  std::string schema;  ///< a JSON schema of config files, likewise
  ConfigChoice of;     ///< only what this config can make use of, unless its path is empty
};
/// Prints what `describe` knows about the words, or writes all of it as JSON, or as a schema.
void print_description(const DescribeOptions& options);

struct TopologyOptions {
  ConfigChoice config;
  std::string json;         ///< counts and facts; "-": standard output, which then holds nothing else; empty: as text
  std::string export_path;  ///< graph as .graphml, .dot or .json; empty: none
  std::string cost;         ///< prices and floor; empty: nothing is said of cost
};
/// Prints counts and facts of the config's topology and checks its wiring (a Bug if that is wrong).
void inspect_topology(const TopologyOptions& options);

struct FindOptions {
  u64 nodes = 0;     ///< about how many
  u32 radix = 0;     ///< most ports of a router; 0: any number
  std::string json;  ///< as of TopologyOptions
  std::string cost;  ///< the same
};
/// Lists networks of each kind of about that size. Throws ConfigError if there is none.
void find_topologies(const FindOptions& options);

/// How trace commands read a trace.
struct TraceChoice {
  std::string path;
  std::string format = "auto";
  std::string cache;      ///< folder for stores; empty: beside the trace
  bool no_store = false;  ///< what is read is not kept
  u32 threads = 0;        ///< that read; 0: one for each core
};

struct TraceInfoOptions {
  TraceChoice trace;
  std::string json;  ///< counts; "-": standard output, which then holds nothing else; empty: as text
};
/// Prints counts of a trace file.
void print_trace_info(const TraceInfoOptions& options);
/// Replays a trace without a network. Throws StuckError if tasks wait for ever or messages are left over; lists them.
void check_trace_file(const TraceChoice& trace);

struct TraceImportOptions {
  TraceChoice trace;
  std::string progress = "auto";  ///< auto, always or never
};
/// Brings a trace into its store, whether there is one or not, and says what that took. Throws if it cannot be kept.
void import_trace_file(const TraceImportOptions& options);

/// What a trace is written as.
struct TraceOutput {
  std::string out;                      ///< a file or a folder, as the format has it
  std::string to;                       ///< format; empty: by the ending of `out`
  std::string collectives;              ///< library whose rules carry out collective calls, where the format has none
  std::optional<u64> collective_bytes;  ///< of calls without sizes
};

struct TraceConvertOptions {
  TraceChoice trace;
  TraceOutput output;
};
/// Writes a trace in another format, and says what of it that has no word for.
void convert_trace(const TraceConvertOptions& options);

struct TraceCutOptions {
  TraceChoice trace;
  TraceOutput output;  ///< its format is in `to`
  /// Window in seconds; empty: from the begin, to the end.
  std::optional<double> from;
  /// A number is the end of the window in seconds, a name the format of what is written.
  std::vector<std::string> to;
  std::string tasks;              ///< "0-15,20"; empty: all
  std::string between;            ///< "MARK,MARK"
  std::string region;             ///< "NAME" or "NAME:n"
  std::string crossing = "drop";  ///< or complete
};
/// Writes a part of a trace, and says what crosses its edges.
void cut_trace_file(const TraceCutOptions& options);

struct TraceStatsOptions {
  TraceChoice trace;
  std::vector<std::string> out;  ///< .h5, .csv, .html or .json, each by its ending
  std::string json;              ///< as .json; "-": standard output, which then holds nothing else; empty: none
};
/// Prints sizes of messages, partners, collective calls and times of a trace, and writes them.
void print_trace_stats(const TraceStatsOptions& options);

struct TraceMergeOptions {
  std::vector<TraceChoice> traces;
  TraceOutput output;  ///< empty `out`: nothing is written
  bool jobs = false;   ///< print the [[job]] tables of a config that runs the traces as jobs
};
/// Writes several traces as one, side by side.
void merge_trace_files(const TraceMergeOptions& options);

struct TraceRecordOptions {
  std::string out = "weft-trace";    ///< folder, made for the recording
  std::string clock = "cpu";         ///< or wall
  std::string library = "auto";      ///< or openmpi, mpich
  std::vector<std::string> command;  ///< launcher, program, arguments
  u64 from_call = 0, to_call = 0;    ///< of each rank, from 1; 0: all
  double from_s = 0, to_s = 0;       ///< since MPI_Init; 0: to the end
  std::string signal;                ///< name or number of the signal that switches off and on
  bool off = false;                  ///< nothing is recorded until it is switched on
  bool shortcuts = false;            ///< collective calls may use what ranks of a node share
  bool yields = false;               ///< ranks that wait give their core to others
  u32 block_bytes = 0;               ///< of records written at a time; 0: 64 KiB
};
/// Runs a program with the tracer inside and says what was recorded. Throws ConfigError (no library found), SystemError
/// (the program could not be started, or failed).
void record_trace(const TraceRecordOptions& options);

struct TraceGenerateOptions {
  std::string kernel;   ///< or
  ConfigChoice config;  ///< whose workload is written
  std::string job;      ///< which of its jobs, if it has some
  u32 tasks = 0;
  std::optional<u64> message_bytes;
  u32 dimensions = 0;   ///< 0: the kernel's default
  u32 repetitions = 0;  ///< 0: the kernel's default
  u64 seed = 1;
  bool return_sweep = false, wrap = false, diagonals = false;
  std::vector<i64> shape;  ///< empty: the most nearly square one
  std::string out;
};
/// Writes a kernel, or the workload of a config, as a trace.
void generate_trace(const TraceGenerateOptions& options);

struct ReportOptions {
  std::vector<std::string> results;
  std::string out;
};
/// Writes the page that compares results.
void make_report(const ReportOptions& options);

struct StudyOptions {
  std::vector<std::string> names;  ///< of studies; none: what there is
  bool quick = false;              ///< the part of the runs that takes below 2 minutes
  bool table = false;              ///< run nothing
  bool again = false;              ///< run what has a result, too
  bool strict = false;             ///< end with 1 if a row is outside its tolerance
  bool slurm = false;              ///< write a job array and the job that prints the table after it
  bool submit = false;             ///< and hand both to SLURM
  std::vector<std::string> only;   ///< names of runs, with * and ?
  std::string part;                ///< "I/N": this share of the runs
  unsigned jobs = 0;               ///< runs at once; 0: as many as keep the processors busy
  std::string out;                 ///< folder of the results; empty: results/studies
  std::string traces;              ///< folder of traces that are no part of the project; empty: WEFT_TRACES
  std::string markdown;            ///< a page whose table is renewed; empty: none
  std::string json;                ///< file of the tables in JSON, - for standard output in place of text; empty: none
};
/// Runs published studies by weft's Python package, which prints everything. Returns its exit code.
[[nodiscard]] int run_studies(const StudyOptions& options);

struct PlotOptions {
  std::vector<std::string> results;  ///< the table of a sweep, or results of runs
  std::string x = "load", y = "latency";
  std::vector<std::string> by;  ///< columns that tell curves apart; empty: the axes of the sweep
  std::string errors = "band";  ///< band, bars or none
  std::string log;              ///< axes that are logarithmic: x, y, xy
  std::string width = "single";
  std::string out;
};
/// Draws a figure with the Python package. Throws SystemError where Python or its modules are missing.
void plot_results(const PlotOptions& options);

struct ScalingOptions {
  std::string study;
  std::vector<std::string> predict;  ///< topology.key=value: the network to predict; empty: the study's last size
  std::vector<u32> ranks;            ///< to predict; with `predict` empty: no prediction; else powers of two
  double efficiency = 0.5;           ///< that makes ranks worth using
};
/// Makes the runs that a scaling study still misses, as child processes, writes its files and prints its tables.
/// Throws what load_scaling_study, make_runs, predict and write_scaling_files throw.
void run_scaling_study(const ScalingOptions& options);

struct SweepOptions {
  std::string study;
  u32 jobs = 0;                     ///< processes at once; 0: as many as keep the processors busy
  std::vector<std::string> points;  ///< run these alone (name, hash or index), one after the other; empty: all
  std::vector<std::string> set;     ///< table.key=value for all points, after what the study sets
  bool quick = false;               ///< with what [sweep.quick] says
  bool rerun = false;               ///< points that have a result too
  bool submit = false;              ///< as a SLURM job array
  bool force = false;               ///< submit although an earlier job is still in the queue
  bool dry_run = false;             ///< list the points with an estimate, or write the job script, and run none
  bool collect = false;             ///< gather what is there
  std::string progress = "auto";    ///< auto, always or never
};
/// Runs, submits or gathers a parameter sweep. Throws what the study and its points throw, and an Error with the exit
/// code of the first failed point once all have ended.
void run_sweep(const SweepOptions& options);

}  // namespace weft::tools
