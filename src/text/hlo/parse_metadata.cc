// metadata={op_name="jit(f)/dot" source_file="f.py" source_line=3 stack_frame_id=2 ...}: its text is kept, so that it
// is printed as it was; the positions in it become a location. op_name is a name location around the file position, or
// around the chain of call sites that the stack frames make.
#include "text/hlo/parser.h"

namespace sw::hlo {

bool Parser::parse_metadata(AttrId& out, LocationId& loc) {
  const uint32_t begin = in_.position();
  const std::string_view text = in_.group();
  if (text.empty()) return expected("`{` and the metadata, closed by `}`", DiagnosticKind::bad_attribute);
  const uint32_t end = in_.position();
  out = builder_.attr_table().opaque(text);
  in_.reset(begin);
  in_.eat('{');
  Location file;
  file.kind = LocationKind::file;
  StringId op_name;
  int64_t frame = 0;
  while (in_.position() + 1 < end && in_.peek() != '}') {
    const std::string_view field = in_.identifier();
    if (field.empty() || !in_.eat('='))
      return expected("a field such as `op_name=\"...\"`, or `}`", DiagnosticKind::bad_attribute);
    int64_t number = 0;
    if (in_.peek() == '"') {
      if (!in_.quoted(scratch_)) return expected("a string that is closed", DiagnosticKind::bad_attribute);
      if (field == "op_name") op_name = intern(scratch_);
      if (field == "source_file") file.text = intern(scratch_);
    } else if (const uint32_t at = in_.position(); in_.integer(number) && number >= 0 && number <= UINT32_MAX) {
      const auto value = static_cast<uint32_t>(number);
      if (field == "source_line") file.line = value;
      if (field == "source_column") file.column = value;
      if (field == "source_end_line") file.end_line = value;
      if (field == "source_end_column") file.end_column = value;
      if (field == "stack_frame_id") frame = number;
    } else {
      in_.reset(at);
      if (in_.raw_value().empty()) return expected("a value", DiagnosticKind::bad_attribute);
    }
    in_.eat(',');
  }
  in_.reset(end);
  LocationId position = frame_location(frame);
  if (!position.valid() && file.text.valid()) position = builder_.location(file);
  if (op_name.valid()) {
    Location name;
    name.kind = LocationKind::name;
    name.text = op_name;
    name.child = position;
    position = builder_.location(std::move(name));
  }
  loc = position;
  return true;
}

// The call sites from frame `number` (from 1) outwards. A frame is made once; what does not lead outwards to a frame
// with a smaller number, as XLA numbers them, or repeats itself, ends the chain.
LocationId Parser::frame_location(int64_t number) {
  const auto count = static_cast<int64_t>(frames_.frames.size());
  frames_.built.resize(frames_.frames.size());  // also when an error ended the tables early
  std::vector<int64_t> chain;
  for (int64_t at = number; at >= 1 && at <= count && static_cast<int64_t>(chain.size()) <= count;
       at = frames_.frames[static_cast<size_t>(at - 1)].parent) {
    chain.push_back(at);
    if (frames_.built[static_cast<size_t>(at - 1)].valid()) break;
    if (frames_.frames[static_cast<size_t>(at - 1)].parent >= at) break;
  }
  LocationId outer;
  for (size_t i = chain.size(); i-- > 0;) {
    const auto index = static_cast<size_t>(chain[i] - 1);
    LocationId& built = frames_.built[index];
    if (!built.valid()) {
      built = file_location(frames_.frames[index].location);
      if (!built.valid()) continue;
      if (outer.valid()) {
        Location call;
        call.kind = LocationKind::call_site;
        call.child = built;
        call.caller = outer;
        built = builder_.location(std::move(call));
      }
    }
    outer = built;
  }
  return outer;
}

// Row `number` (from 1) of the FileLocations table: the function's name around the position.
LocationId Parser::file_location(int64_t number) {
  if (number < 1 || number > static_cast<int64_t>(frames_.locations.size())) return {};
  const StackFrames::FileLocation& row = frames_.locations[static_cast<size_t>(number - 1)];
  if (row.file < 1 || row.file > static_cast<int64_t>(frames_.files.size())) return {};
  Location file;
  file.kind = LocationKind::file;
  file.text = frames_.files[static_cast<size_t>(row.file - 1)];
  file.line = static_cast<uint32_t>(row.line);
  file.column = static_cast<uint32_t>(row.column);
  file.end_line = static_cast<uint32_t>(row.end_line);
  file.end_column = static_cast<uint32_t>(row.end_column);
  const LocationId position = builder_.location(std::move(file));
  if (row.function < 1 || row.function > static_cast<int64_t>(frames_.functions.size())) return position;
  Location name;
  name.kind = LocationKind::name;
  name.text = frames_.functions[static_cast<size_t>(row.function - 1)];
  name.child = position;
  return builder_.location(std::move(name));
}

}  // namespace sw::hlo
