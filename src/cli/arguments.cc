// The grammar of the command line. CLI11 parses; what it would say about a mistake is said here in our own words, with
// the nearest correct spelling.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>

#include "base/edit_distance.h"
#include "cli/exit_codes.h"
#include "text/yaml/defaults.h"

namespace sw {

namespace {

struct VerbRow {
  Verb verb;
  const char* name;
  const char* summary;
};
constexpr VerbRow kVerbs[] = {
    {Verb::plan, "plan", "The sharding of every value of a program on a mesh (the verb when only a FILE is given)"},
    {Verb::collectives, "collectives",
     "Every collective of a plan: over which axes, how many bytes, from which line, why"},
    {Verb::memory, "memory", "What a device needs: in all, by category, at the worst moment, over the step"},
    {Verb::explain, "explain", "Where the sharding of one value comes from, back to the annotation"},
    {Verb::diff, "diff",
     "Where two partitioners, meshes, sets of shardings or files differ: in values and in collectives"},
    {Verb::lint, "lint", "What is wrong or uncertain about the shardings of a program, with a way out"},
    {Verb::check, "check", "Whether a plan is as it must be: memory on each device, assertions, findings; for CI"},
    {Verb::run, "run", "Executes the partitioned program on simulated devices and compares it with the program"},
    {Verb::hardware, "hardware", "What is known of each kind of device: memory, speed, links, and from where"},
    {Verb::render, "render",
     "Pictures: the graph of a plan, the pieces of an array on the devices; a page to look around in all of it"},
    {Verb::ops, "ops", "The operations and what is known about each"},
    {Verb::schema, "schema", "The JSON Schema of the JSON report"},
    {Verb::version, "version", "The version of this program"},
};
constexpr std::array<std::string_view, 3> kPartitioners = {"shardy", "gspmd", "none"};
constexpr std::array<std::string_view, 5> kReports = {"plan", "collectives", "check", "run", "memory"};
constexpr std::array<std::string_view, 6> kCheckFormats = {"text", "json", "markdown", "sarif", "junit", "github"};
constexpr std::array<std::string_view, 4> kFailOn = {"error", "warning", "note", "never"};
constexpr std::array<std::string_view, 2> kHardwareActions = {"list", "show"};
constexpr std::array<std::string_view, 3> kOrders = {"axis", "line", "bytes"};
constexpr std::array<std::string_view, 1> kDevices = {"cpu"};
constexpr std::array<std::string_view, 2> kEmitted = {"partitioned.hlo", "annotated.hlo"};
constexpr std::array<std::string_view, 3> kColors = {"auto", "always", "never"};
constexpr std::array<std::string_view, 5> kPictureFormats = {"svg", "text", "dot", "png", "pdf"};
constexpr std::array<std::string_view, 3> kFormats = {"text", "json", "markdown"};  // the last not of all verbs

// Values of options that are words out of a list stay text until all of them are checked, so that all mistakes are
// reported.
struct RawWords {
  std::string partitioner;
  std::string partitioners = "gspmd,shardy";
  std::string backend = "none";
  std::string by = "axis";
  std::string schema_of = "plan";
  std::string hardware_action = "list";
  std::string fail_on = "error";
  std::string color = "auto";
  std::string devices = "cpu";
  std::vector<std::string> formats;
  std::vector<std::string> emitted;
};

// Checks of options whose number is 1 at least.
std::string from_one(const std::string& word) { return word.starts_with("-") || word == "0" ? "too small" : ""; }

class CommandLine {
 public:
  CommandLine(SourceManager& sources, Diagnostics& diagnostics) : sources_(sources), diags_(diagnostics) {
    app_.name("shardwright");
    app_.require_subcommand(0, 1);
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.set_version_flag();
    app_.get_formatter()->column_width(34);
    app_.footer("`shardwright VERB --help` says more about a verb.");
    for (const VerbRow& row : kVerbs) {
      CLI::App* sub = app_.add_subcommand(row.name, row.summary);
      sub->set_help_flag("-h,--help", "Print this help and exit");
      sub->get_formatter()->column_width(34);
      sub->allow_extras();
      add_options(*sub, row.verb);
    }
  }

  ParsedArguments parse(int argc, const char* const* argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!choose_verb(words)) return {std::nullopt, kExitUsage, ""};
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    try {
      app_.parse(words);
    } catch (const CLI::CallForHelp&) {
      const auto chosen = app_.get_subcommands();
      return {std::nullopt, kExitOk, chosen.empty() ? app_.help() : chosen.front()->help("shardwright")};
    } catch (const CLI::ParseError& error) {
      report_parse_error(error);
      return {std::nullopt, kExitUsage, ""};
    }
    CLI::App& sub = *app_.get_subcommands().front();
    arguments_.verb = std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const VerbRow& row) {
                        return row.name == sub.get_name();
                      })->verb;
    report_extras(sub);
    if (takes_file() && arguments_.file.empty() && !diags_.has_errors())
      usage(DiagnosticKind::bad_configuration, "`" + sub.get_name() + "` needs a FILE").help("`-` is standard input");
    if (arguments_.verb == Verb::explain && arguments_.subject.empty() && !diags_.has_errors())
      usage(DiagnosticKind::bad_configuration, "`explain` needs a VALUE or LINE after the FILE")
          .help(
              "a value as the file spells it (`%12`, `%12#1`), an argument (`params['w1']`), an output (`result[0]`), "
              "a "
              "line (`61`, `model.py:61`)");
    if (!diags_.has_errors()) apply_configuration(sub);
    check_words();
    if (diags_.has_errors()) return {std::nullopt, kExitUsage, ""};
    return {std::move(arguments_), kExitOk, ""};
  }

 private:
  bool takes_file() const {
    return takes_program(arguments_.verb) && !arguments_.list_rules && arguments_.explain_rule.empty();
  }
  static bool takes_program(Verb verb) {
    return verb == Verb::plan || verb == Verb::collectives || verb == Verb::explain || verb == Verb::diff ||
           verb == Verb::lint || verb == Verb::check || verb == Verb::memory || verb == Verb::run ||
           verb == Verb::render;
  }
  static bool has_markdown(Verb verb) { return verb == Verb::diff || verb == Verb::collectives; }

  void add_options(CLI::App& sub, Verb verb) {
    if (verb == Verb::version) return;
    if (takes_program(verb)) add_program_options(sub, verb);
    if (verb == Verb::hardware) {
      sub.add_option("ACTION", raw_.hardware_action, "list (default): all of it; show: everything about NAME")
          ->type_name(" ");
      sub.add_option("NAME", arguments_.hardware, "Names of the catalogue, or files of the same form that end in .yaml")
          ->type_name(" ");
    }
    if (verb == Verb::schema)
      sub.add_option("VERB", raw_.schema_of, "Whose report: plan (default), collectives, check, run or memory")
          ->type_name(" ");
    else if (verb == Verb::render)
      sub.add_option(
             "--format", raw_.formats,
             "svg, text, dot, png or pdf, each to a FILE if given; repeatable\n(by the name of the output; else "
             "svg for graphs, text for arrays)")
          ->allow_extra_args(false)
          ->type_name("NAME[=FILE]");
    else
      sub.add_option(
             "--format", raw_.formats,
             verb == Verb::check
                 ? "text (default), json, markdown, sarif, junit or github, each to a FILE if given;\nrepeatable"
             : has_markdown(verb) ? "text (default), json or markdown, each to a FILE if given; repeatable"
                                  : "text (default) or json, each to a FILE if given; repeatable")
          ->allow_extra_args(false)
          ->type_name("NAME[=FILE]");
    sub.add_option("-o,--output", arguments_.output, "Write the result to FILE, not to standard output")
        ->type_name("FILE");
    if (takes_program(verb)) add_message_options(sub);
  }

  void add_program_options(CLI::App& sub, Verb verb) {
    Arguments& a = arguments_;
    sub.add_option("FILE", a.file,
                   "StableHLO text, as jax.jit(f).lower(...).as_text() prints it, or HLO text;\n`-` is standard input; "
                   ".gz and .xz are read as they are")
        ->type_name(" ");
    if (verb == Verb::diff)
      sub.add_option("OTHER", a.other_file,
                     "A second file; with one, --partitioners or the --to options say what is compared")
          ->type_name(" ");
    if (verb == Verb::explain)
      sub.add_option("VALUE|LINE", a.subject,
                     "%12, %12#1, an argument (params['w1']), an output (result[0]),\na line of FILE (61) or of the "
                     "user's source (model.py:41)")
          ->type_name(" ");
    sub.add_option("--partitioner", raw_.partitioner,
                   "shardy (default), gspmd (default for HLO text), or none: what is written in FILE is the plan")
        ->type_name("NAME");
    add_sharding_options(sub);
    if (verb == Verb::explain)
      sub.add_option("--why-not", a.why_not, "Say what kept this mesh axis away from the value")->type_name("AXIS");
    if (verb == Verb::collectives)
      sub.add_option("--by", raw_.by, "Group them by axis (default), by line, or list them by bytes")
          ->type_name("ORDER");
    if (verb == Verb::check) add_check_options(sub);
    if (verb == Verb::memory || verb == Verb::plan)
      add_hardware(sub, verb == Verb::plan
                            ? "Say what this device's memory must hold: a name of the "
                              "catalogue\n(`shardwright hardware`) or FILE.yaml"
                            : "The device: a name of the catalogue (`shardwright hardware`) or FILE.yaml");
    if (verb == Verb::memory) {
      sub.add_flag("--gate", a.gate, "End with exit code 4 when the program does not fit");
      sub.add_flag("--all", a.all, "List every buffer that is alive at the worst moment, and every word of advice");
      add_advice(sub);
    }
    if (verb == Verb::run) add_run_options(sub);
    if (verb == Verb::render) add_render_options(sub);
    if (verb == Verb::plan || verb == Verb::collectives || verb == Verb::memory || verb == Verb::diff ||
        verb == Verb::run || verb == Verb::render)
      sub.add_option(
             "--backend", raw_.backend,
             verb == Verb::run
                 ? "Run the program as this compiler leaves it: xla-cpu, xla-gpu, tpu,\nor none (default): as it "
                   "stands right after the partitioner"
                 : "Show the collectives as this compiler leaves them: xla-cpu, xla-gpu, tpu,\nor none (default): as "
                   "they "
                   "stand right after the partitioner")
          ->type_name("NAME");
    if (verb == Verb::plan) {
      sub.add_option("--emit", raw_.emitted,
                     "Write the program as HLO that XLA reads, instead of the report or beside it:\npartitioned.hlo: "
                     "what each device runs; annotated.hlo: the whole program\nwith the sharding of every value; "
                     "repeatable")
          ->allow_extra_args(false)
          ->type_name("WHAT[=FILE]");
      sub.add_flag("--all", a.all, "List every argument, result and value");
    }
    if (verb == Verb::collectives) sub.add_flag("--all", a.all, "List every collective");
    if (verb == Verb::run) sub.add_flag("--all", a.all, "List every result, step and collective");
    if (verb == Verb::diff) add_diff_options(sub);
    if (verb == Verb::lint) {
      add_hardware(sub, "Look at the memory of this device too (`shardwright hardware`); repeatable");
      sub.add_flag("--list", a.list_rules, "List the rules and exit");
      sub.add_option("--explain", a.explain_rule, "Say what a rule means and exit")->type_name("RULE");
    }
  }

  // What is said instead of, or beside, the program.
  void add_sharding_options(CLI::App& sub) {
    Arguments& a = arguments_;
    sub.add_option("--mesh", a.mesh, "FILE.yaml, or sizes (x=2,y=4) instead of those of the program")
        ->type_name("MESH");
    sub.add_option("--shard", a.shard,
                   "Shard the arguments (or else the results) whose name matches,\n\"params/w1=P('x', None)\"; "
                   "repeatable")
        ->allow_extra_args(false)
        ->type_name("PATTERN=SPEC");
    sub.add_option("--shardings", a.shardings_file, "A list of such rules; the first that matches wins")
        ->type_name("FILE.yaml");
    sub.add_option("--pin", a.pin, "Constrain any value, as with_sharding_constraint does; repeatable")
        ->allow_extra_args(false)
        ->type_name("VALUE|LINE=SPEC");
    sub.add_option("--donate", a.donate,
                   "Give the arguments whose name matches away, as donate_argnames does; repeatable")
        ->allow_extra_args(false)
        ->type_name("PATTERN");
  }

  void add_hardware(CLI::App& sub, const std::string& help) {
    sub.add_option("--hardware", arguments_.hardware, help)->allow_extra_args(false)->type_name("NAME");
  }

  void add_advice(CLI::App& sub) {
    sub.add_option("--advice", arguments_.advice,
                   "Try up to N changes that would make it smaller, 0: none (where it does not fit, as many\nas take "
                   "no more than a second or so; none where it fits)")
        ->check([](const std::string& word) { return std::string(word.starts_with("-") ? "negative" : ""); })
        ->type_name("N");
  }

  void add_diff_options(CLI::App& sub) {
    Arguments& a = arguments_;
    sub.add_option("--partitioners", raw_.partitioners, "The two to compare on one FILE (gspmd,shardy)")
        ->type_name("NAME,NAME");
    sub.add_option("--to-mesh", a.to_mesh, "The mesh of the second side, instead of --mesh")->type_name("MESH");
    sub.add_option("--to-shard", a.to_shard, "Its argument shardings, instead of --shard; repeatable")
        ->allow_extra_args(false)
        ->type_name("PATTERN=SPEC");
    sub.add_option("--to-shardings", a.to_shardings_file, "Its list of rules, instead of --shardings")
        ->type_name("FILE.yaml");
    sub.add_option("--to-pin", a.to_pin, "Its pins, instead of --pin; repeatable")
        ->allow_extra_args(false)
        ->type_name("VALUE|LINE=SPEC");
    sub.add_flag("--all", a.all, "List every place where they part, and every value that differs");
  }

  void add_check_options(CLI::App& sub) {
    Arguments& a = arguments_;
    add_hardware(sub,
                 "A device of the catalogue (`shardwright hardware`) or FILE.yaml, whose memory must do; repeatable");
    sub.add_option("--max-memory", a.max_memory,
                   "Allow a share of the capacity (0.9) or bytes (14GiB), instead of all but the reserve;\nmore is "
                   "exit code 4, even where the device would hold it")
        ->type_name("AMOUNT");
    add_advice(sub);
    sub.add_option("--assert", a.assertions,
                   "What must hold, \"peak <= 0.9*capacity\", \"count(all-gather, axis=tensor, in_loop) == 0\",\n"
                   "\"bytes(all-reduce) < 2GiB\", \"no finding full-remat\"; repeatable")
        ->allow_extra_args(false)
        ->type_name("TEXT");
    sub.add_option("--fail-on", raw_.fail_on, "Fail on findings from this level: error (default), warning, note, never")
        ->type_name("LEVEL");
    sub.add_option("--baseline", a.baseline, "Fail only on findings that are not in this file")->type_name("FILE");
    sub.add_option("--write-baseline", a.write_baseline, "Write the findings of now to such a file")->type_name("FILE");
  }

  void add_run_options(CLI::App& sub) {
    Arguments& a = arguments_;
    sub.add_option("--devices", raw_.devices, "cpu (default): devices simulated on this machine")->type_name("KIND");
    sub.add_option("--seed", a.seed, "Of the random inputs (0)")->type_name("N");
    sub.add_option("--inputs", a.inputs, "Take inputs from DIR/arg0.npy, arg1.npy, ... instead")->type_name("DIR");
    sub.add_option("--save", a.save,
                   "Write inputs and results of the program as written to DIR/arg0.npy, out0.npy, ...")
        ->type_name("DIR");
    sub.add_option(
           "--tolerance", a.tolerance,
           "What floats may be off by, relative to the largest magnitude of their array\n(by element type: 1e-05 "
           "for f32)")
        ->type_name("X");
    sub.add_option("--steps", a.steps,
                   "Run N steps (1); results go back to the arguments whose memory they take (donated,\naliased; else "
                   "the first ones), and scalars that do not are shown step by step")
        ->check(from_one)
        ->type_name("N");
    sub.add_option("--feed", a.feed, "Which result is which argument of the next step (2=0, 0-3=1-4); repeatable")
        ->allow_extra_args(false)
        ->type_name("RESULT=ARGUMENT");
    sub.add_flag("--every-value", a.every_value, "Compare every value of which a device has a piece, not only results");
  }

  void add_render_options(CLI::App& sub) {
    RenderArguments& r = arguments_.render;
    sub.add_flag("--graph", r.graph, "The operations, in the scopes of your source, coloured by sharding");
    sub.add_flag(
        "--report", r.report,
        "One HTML page that needs no network: both partitioners' tables, the graph, where each\nsharding comes from");
    sub.add_option(
           "--array", r.array,
           "The pieces of a value and the devices that hold them, before and after each reshard;\n%12, %12#1, an "
           "argument (params['w1']), an output (result[0]), a line (61, model.py:41)")
        ->type_name("VALUE|LINE");
    sub.add_flag("--devices", r.devices, "The mesh: its axes and its devices");
    add_hardware(
        sub,
        "Of --report: the memory of this device over the step; of --devices: in what nodes or on what\ntorus they "
        "stand (`shardwright hardware` lists them, or FILE.yaml)");
    sub.add_flag(
        "--propagation", r.propagation,
        "How the shardings travelled, round by round, GSPMD's and Shardy's side by side: an animated SVG\n(with "
        "--partitioner: that one alone)");
    sub.add_option("--step", r.step, "Of --propagation: frame N alone, from 0")->type_name("N");
    sub.add_option("--frames", r.frames, "Of --propagation: every frame as a file in DIR")->type_name("DIR");
    sub.add_flag("--diff", r.diff, "Of --graph: two partitioners in one, what differs is marked");
    sub.add_option("--partitioners", raw_.partitioners, "Of --diff: which two (gspmd,shardy)")->type_name("NAME,NAME");
    sub.add_option("--expand", r.expand, "Of graphs: show what is inside a scope, as the picture names it; repeatable")
        ->allow_extra_args(false)
        ->type_name("SCOPE");
    sub.add_option("--nodes", r.nodes, "Of graphs: fold scopes beyond N operations (60; of --propagation 24)")
        ->check(from_one)
        ->type_name("N");
  }

  void add_message_options(CLI::App& sub) {
    sub.add_option("--color", raw_.color, "auto (default), always or never")->type_name("WHEN");
    sub.add_flag("-q,--quiet", arguments_.quiet, "Print no warnings");
    sub.add_option("--max-errors", arguments_.max_errors, "Show at most N errors and N warnings (20)")
        ->check(from_one)
        ->type_name("N");
  }

  // Puts `plan` in front of a bare FILE; reports an unknown verb.
  bool choose_verb(std::vector<std::string>& words) {
    const auto first =
        std::find_if(words.begin(), words.end(), [](const std::string& w) { return !w.starts_with("--"); });
    const bool asks_help =
        std::any_of(words.begin(), words.end(), [](const std::string& w) { return w == "-h" || w == "--help"; });
    if (words.size() == 1 && words.front() == "--version") words.front() = "version";
    if (words.empty()) {
      usage(DiagnosticKind::bad_configuration, "no FILE given").help("shardwright FILE, or shardwright --help");
      return false;
    }
    if (first == words.end()) {
      if (!asks_help && words.front() != "version") words.insert(words.begin(), "plan");
      return true;
    }
    for (const VerbRow& row : kVerbs)
      if (*first == row.name) return true;
    if (asks_help && first->starts_with("-") && *first != "-") return true;
    std::error_code ignored;
    const bool looks_like_file = first->starts_with("-") || first->find_first_of("./") != std::string::npos ||
                                 std::filesystem::exists(*first, ignored) || first != words.begin();
    if (looks_like_file) {
      words.insert(words.begin(), "plan");
      return true;
    }
    std::vector<std::string_view> names;
    for (const VerbRow& row : kVerbs) names.push_back(row.name);
    auto builder = usage(DiagnosticKind::unknown_name, "unknown verb `" + *first + "`, and no file of that name");
    const std::string_view near = nearest_name(*first, names);
    if (!near.empty()) builder.help("did you mean `" + std::string(near) + "`?");
    builder.help("the verbs are " + joined(names));
    return false;
  }

  // CLI11 begins its messages with the name of the option.
  void report_parse_error(const CLI::ParseError& error) {
    const std::string text = error.what();
    const std::string option = text.substr(0, text.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
      usage(DiagnosticKind::bad_configuration, "`" + option + "` needs a value");
    else if (option == "--max-errors" || option == "--nodes")
      usage(DiagnosticKind::bad_configuration, "`" + option + "` takes a number from 1");
    else if (text.find("--advice") != std::string::npos)
      usage(DiagnosticKind::bad_configuration, "`--advice` takes a number of tries, 0 for none");
    else
      usage(DiagnosticKind::bad_configuration, text);
  }

  // Words that no option took: unknown options, or one argument too many.
  void report_extras(CLI::App& sub) {
    bool after_unknown_option = false;
    for (const std::string& word : sub.remaining()) {
      const bool is_its_value = after_unknown_option && (!word.starts_with("-") || word == "-");
      after_unknown_option = word.starts_with("--") && word.find('=') == std::string::npos;
      if (is_its_value) continue;
      if (!word.starts_with("-") || word == "-") {
        usage(DiagnosticKind::bad_configuration, "unexpected argument `" + word + "`");
        continue;
      }
      const std::string name = word.substr(0, word.find('='));
      std::vector<std::string> spellings;
      for (const CLI::Option* option : sub.get_options()) {
        for (const std::string& l : option->get_lnames()) spellings.push_back("--" + l);
        for (const std::string& s : option->get_snames()) spellings.push_back("-" + s);
      }
      const std::vector<std::string_view> candidates(spellings.begin(), spellings.end());
      auto builder = usage(DiagnosticKind::unknown_name, "unknown option `" + name + "` of `" + sub.get_name() + "`");
      const std::string_view near = nearest_name(name, candidates);
      if (!near.empty()) builder.help("did you mean `" + std::string(near) + "`?");
    }
  }

  // Defaults from the nearest shardwright.yaml at or above the working directory, for options not given as flags.
  void apply_configuration(CLI::App& sub) {
    if (!takes_file()) return;
    std::error_code ignored;
    std::string up;
    for (std::filesystem::path at = std::filesystem::current_path(ignored); !at.empty();
         at = at.parent_path(), up += "../") {
      if (std::filesystem::exists(at / "shardwright.yaml", ignored)) {
        read_configuration(sub, up + "shardwright.yaml", up);
        return;
      }
      if (at == at.root_path()) return;
    }
  }

  void read_configuration(CLI::App& sub, const std::string& path, const std::string& folder) {
    const Result<std::vector<DefaultOption>> defaults = read_defaults(path, sources_, diags_);
    if (!defaults.has_value()) return;
    // Every key must be an option of some verb; only those of this verb apply.
    const auto given = [&](const std::string& name) {
      const CLI::Option* option = sub.get_option_no_throw("--" + name);
      return option == nullptr || option->count() > 0;
    };
    constexpr std::array<std::string_view, 16> kKeys = {
        "hardware", "max-memory", "assert", "fail-on", "baseline", "partitioner", "backend", "mesh",
        "shard",    "shardings",  "pin",    "donate",  "color",    "quiet",       "all",     "max-errors"};
    for (const DefaultOption& d : *defaults) {
      if (std::find(kKeys.begin(), kKeys.end(), d.name) == kKeys.end()) {
        auto builder = diags_.error(DiagnosticKind::unknown_name, d.where, "unknown option `" + d.name + "`");
        const std::string_view near = nearest_name(d.name, kKeys);
        if (!near.empty()) builder.help("did you mean `" + std::string(near) + "`?");
        continue;
      }
      if (!given(d.name)) apply_default(d, folder);
    }
  }

  void apply_default(const DefaultOption& d, const std::string& folder) {
    const bool list =
        d.name == "shard" || d.name == "pin" || d.name == "donate" || d.name == "hardware" || d.name == "assert";
    if (!list && d.values.size() != 1) {
      diags_.error(DiagnosticKind::bad_configuration, d.where, "`" + d.name + "` takes one value");
      return;
    }
    const auto flag = [&](bool& out) {
      if (d.values.front() != "true" && d.values.front() != "false")
        diags_.error(DiagnosticKind::bad_configuration, d.where, "`" + d.name + "` is true or false");
      out = d.values.front() == "true";
    };
    // Files are named from the folder of the configuration.
    const auto in_folder = [&](const std::string& value) {
      return value.ends_with(".yaml") && !value.starts_with("/") ? folder + value : value;
    };
    if (d.name == "partitioner") raw_.partitioner = d.values.front();
    if (d.name == "backend") raw_.backend = d.values.front();
    if (d.name == "mesh") arguments_.mesh = in_folder(d.values.front());
    if (d.name == "shard") arguments_.shard = d.values;
    if (d.name == "shardings") arguments_.shardings_file = in_folder(d.values.front());
    if (d.name == "pin") arguments_.pin = d.values;
    if (d.name == "donate") arguments_.donate = d.values;
    if (d.name == "hardware")
      for (const std::string& name : d.values) arguments_.hardware.push_back(in_folder(name));
    if (d.name == "assert") arguments_.assertions = d.values;
    if (d.name == "max-memory") arguments_.max_memory = d.values.front();
    if (d.name == "fail-on") raw_.fail_on = d.values.front();
    if (d.name == "baseline")
      arguments_.baseline = d.values.front().starts_with("/") ? d.values.front() : folder + d.values.front();
    if (d.name == "color") raw_.color = d.values.front();
    if (d.name == "quiet") flag(arguments_.quiet);
    if (d.name == "all") flag(arguments_.all);
    if (d.name == "max-errors") {
      int64_t count = 0;
      if (!CLI::detail::lexical_cast(d.values.front(), count) || count < 1)
        diags_.error(DiagnosticKind::bad_configuration, d.where, "`max-errors` is a positive number");
      arguments_.max_errors = count;
    }
  }

  void check_words() {
    constexpr Partitioner kValues[] = {Partitioner::shardy, Partitioner::gspmd, Partitioner::none};
    if (!raw_.partitioner.empty()) {
      const size_t partitioner = word_index("--partitioner", raw_.partitioner, kPartitioners);
      if (partitioner < kPartitioners.size()) arguments_.partitioner = kValues[partitioner];
    }
    const size_t comma = raw_.partitioners.find(',');
    if (comma == std::string::npos)
      usage(DiagnosticKind::bad_configuration, "`--partitioners` takes two names with a comma: gspmd,shardy");
    for (const size_t i : {size_t{0}, size_t{1}}) {
      if (comma == std::string::npos) break;
      const std::string name = i == 0 ? raw_.partitioners.substr(0, comma) : raw_.partitioners.substr(comma + 1);
      const size_t partitioner = word_index("--partitioners", name, kPartitioners);
      if (partitioner < kPartitioners.size()) arguments_.partitioners[i] = kValues[partitioner];
    }
    word_index("--devices", raw_.devices, kDevices);
    constexpr std::optional<Severity> kLevels[] = {Severity::error, Severity::warning, Severity::note, std::nullopt};
    arguments_.fail_on = kLevels[std::min<size_t>(word_index("--fail-on", raw_.fail_on, kFailOn), 3)];
    const size_t action = word_index("ACTION", raw_.hardware_action, kHardwareActions);
    arguments_.show_hardware = action == 1;
    if (arguments_.verb == Verb::hardware && action < kHardwareActions.size() &&
        arguments_.show_hardware == arguments_.hardware.empty())
      usage(DiagnosticKind::bad_configuration,
            arguments_.show_hardware ? "`hardware show` needs a NAME" : "`hardware list` takes no NAME")
          .help("shardwright hardware show h100");
    const size_t backend = word_index("--backend", raw_.backend, kBackendNames);
    arguments_.backend = backend < kBackendNames.size() ? static_cast<Backend>(backend) : Backend::none;
    arguments_.by = static_cast<CollectiveOrder>(std::min<size_t>(word_index("--by", raw_.by, kOrders), 2));
    arguments_.schema_of = static_cast<ReportKind>(std::min<size_t>(word_index("VERB", raw_.schema_of, kReports), 4));
    arguments_.color = static_cast<ColorMode>(std::min<size_t>(word_index("--color", raw_.color, kColors), 2));
    for (const std::string& request : raw_.formats) {
      const FormatRequest read = arguments_.verb == Verb::render  ? read_request("--format", request, kPictureFormats)
                                 : arguments_.verb == Verb::check ? read_request("--format", request, kCheckFormats)
                                                                  : read_request("--format", request, kFormats);
      arguments_.formats.push_back(read);
      if (read.format == "markdown" && arguments_.verb != Verb::check && !has_markdown(arguments_.verb))
        usage(DiagnosticKind::bad_configuration, "`--format markdown` is for `diff` and `collectives`");
    }
    for (const std::string& request : raw_.emitted)
      arguments_.emitted.push_back(read_request("--emit", request, kEmitted));
    // What is emitted takes the place of the report, unless it goes to a file of its own.
    const auto goes_to_main = [](const FormatRequest& f) { return f.file.empty(); };
    const auto emitted_to_main = std::count_if(arguments_.emitted.begin(), arguments_.emitted.end(), goes_to_main);
    if (arguments_.formats.empty() && emitted_to_main == 0) arguments_.formats.push_back({default_format(), ""});
    const auto to_main =
        emitted_to_main + std::count_if(arguments_.formats.begin(), arguments_.formats.end(), goes_to_main);
    if (to_main > 1)
      usage(DiagnosticKind::bad_configuration, "several formats for one output")
          .help("give files: `--format json=plan.json`");
    if (arguments_.file.empty() || !takes_file()) arguments_.file = takes_file() ? arguments_.file : "";
  }

  // Of pictures: what the name of the output ends with; the picture knows its own otherwise.
  std::string default_format() const {
    if (arguments_.verb != Verb::render) return "text";
    for (const std::string_view format : kPictureFormats)
      if (arguments_.output.ends_with("." + std::string(format))) return std::string(format);
    return "";
  }

  template <size_t N>
  FormatRequest read_request(const std::string& option, const std::string& request,
                             const std::array<std::string_view, N>& allowed) {
    const size_t equals = request.find('=');
    FormatRequest read{request.substr(0, equals), equals == std::string::npos ? "" : request.substr(equals + 1)};
    word_index(option, read.format, allowed);
    if (equals != std::string::npos && read.file.empty())
      usage(DiagnosticKind::bad_configuration, "`" + option + " " + request + "` names no file after the `=`");
    return read;
  }

  template <size_t N>
  size_t word_index(const std::string& option, const std::string& word,
                    const std::array<std::string_view, N>& allowed) {
    const auto hit = std::find(allowed.begin(), allowed.end(), word);
    if (hit != allowed.end()) return static_cast<size_t>(hit - allowed.begin());
    auto builder = usage(DiagnosticKind::unknown_name, "unknown value `" + word + "` of `" + option + "`");
    const std::string_view near = nearest_name(word, allowed);
    if (!near.empty()) builder.help("did you mean `" + std::string(near) + "`?");
    builder.help("expected one of " + joined(std::vector<std::string_view>(allowed.begin(), allowed.end())));
    return N;
  }

  static std::string joined(const std::vector<std::string_view>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "`" : ", `") + std::string(names[i]) + "`";
    return text;
  }
  Diagnostics::Builder usage(DiagnosticKind kind, std::string message) {
    return diags_.error(kind, {}, std::move(message));
  }

  SourceManager& sources_;
  Diagnostics& diags_;
  CLI::App app_{"Which sharding Shardy or GSPMD gives to every value of a JAX program, and why"};
  Arguments arguments_;
  RawWords raw_;
};

}  // namespace

ParsedArguments parse_arguments(int argc, const char* const* argv, SourceManager& sources, Diagnostics& diagnostics) {
  return CommandLine(sources, diagnostics).parse(argc, argv);
}

}  // namespace sw
