// Pictures of one array: the pieces that the devices hold, as it is made and after each move to another sharding. As
// text for a terminal, and as SVG.
#pragma once

#include <string>
#include <vector>

#include "draw/tiling.h"
#include "report/collective_facts.h"
#include "report/text_sink.h"
#include "sharding/hardware.h"

namespace sw {

// The array in one sharding.
struct ArrayStage {
  std::string heading;             // "moved for gather at model.py:41"; empty where it is the only one
  std::vector<std::string> moves;  // the collectives that bring it here
  std::string spec;                // "P('data', None)"; of a mesh, empty
  std::string on_device;           // "[5,16], 320 B"
  std::vector<std::pair<std::string, std::string>> notes;  // "model": "inside a node"
  Tiling tiling;
};

struct ArrayPicture {
  std::string title;     // "params['w1']"
  std::string subtitle;  // "%arg3  ·  f32[784,512]  ·  mlp.py:14"
  std::vector<ArrayStage> stages;
  const Mesh* mesh = nullptr;
};

// Nothing to draw (a token, a tuple): no stages. `collectives` null: without moves.
ArrayPicture array_picture(const PlanReport& report, CollectiveList* collectives, ValueId value);
// The devices of a mesh, with their axes; `hardware`, if given, says in what nodes or on what torus they stand.
ArrayPicture mesh_picture(const PlanReport& report, MeshId mesh, const Hardware* hardware);

void write_array_text(const ArrayPicture& picture, TextSink& out);
// One below the other, under the title of the first.
std::string array_svg(std::span<const ArrayPicture> pictures);

}  // namespace sw
