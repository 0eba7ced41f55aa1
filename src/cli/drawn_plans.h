// What pictures of graphs are made from: a program, the plans of one or two partitioners, their collectives.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/pipeline.h"
#include "draw/graph_cards.h"
#include "draw/graph_model.h"

namespace sw {

class DrawnPlans {
 public:
  // `choose` says whose plans; of nobody's, that of the partitioner that is asked for or fits. An exit code.
  using Choose = std::function<std::vector<Partitioner>(const Program&)>;
  int load(const Arguments& arguments, const Choose& choose, const PropagateOptions& options, SourceManager& sources,
           Diagnostics& diagnostics);

  size_t count() const { return reports_.size(); }
  const PlanReport& report(size_t i = 0) const { return reports_[i]; }
  const PlanReport* second() const { return reports_.size() > 1 ? &reports_[1] : nullptr; }
  // The mesh that the first plan speaks of, or null.
  const Mesh* mesh() const;
  // "train_step", "train_step: GSPMD and Shardy".
  std::string title() const;
  // A line about the first plan, and whose the second one is.
  std::string subtitle() const;
  // With the collectives of all plans, and what differs between two.
  GraphModel model(const GraphOptions& options, ScopeTree tree) const;

 private:
  std::string and_second() const;

  struct Side {
    Plan plan;
    std::optional<LocalProgram> local;
  };
  std::unique_ptr<Program> program_;
  std::vector<std::unique_ptr<Side>> sides_;
  std::string file_;
  std::vector<PlanReport> reports_;
};

// The scopes that --expand names; an unknown one is reported. An exit code.
int find_scopes(std::span<const std::string> names, const ScopeTree& tree, std::vector<uint32_t>& scopes,
                Diagnostics& diagnostics);

}  // namespace sw
