// SPDX-License-Identifier: MIT
#pragma once

// A recording ("take"): one run of one scene, kept in one SQLite database with the suffix .plrec.
//
// It is the only thing that exporters, timeline, plots and tests read. Anybody can read it with any
// language that has SQLite; numbers in blobs are little-endian, positions stay double.
//
//   meta(key, value)                   scene_text scene_path version model_id (hex) point_count
//                                      frame_rate [1/s] up ('y' or 'z') finished (0/1) summary
//                                      (JSON)
//   bodies(body, name, kind, first_point, point_count, first_triangle, triangle_count,
//          first_line, line_count)     ranges into the shared arrays
//   topology(name, data)               'triangles': int32[][3], 'lines': int32[][2], global points
//   frames(frame, time, step, hash, status, message, substeps, retries, iterations, x, v)
//                                      time [s], hash 16 hex digits, x [m] and v [m/s] double[][3]
//   measures(measure, name)            names; their values are in
//   measure_values(frame, measure, value)          one row each, SI; NULL means not a number
//   fields(field, name)                names of scalars per point; their values are in
//   field_values(frame, field, data)               double[]; no row when the frame has none
//   stages(stage, name)                names of solver stages; their times are in
//   profile(frame, stage, seconds)                 wall time since the frame before
//   inputs(input, after_frame, time, target, value)  value is JSON; after_frame was the last frame
//   snapshots(frame, state)                        full states to resume from
//   contact_steps(frame, version, time, h, …), contact_arrays(frame, name, data)
//                                      only with record.contacts: what contact did in the last step
//                                      before the frame; docs/formats.md has the columns and arrays
//   series(frame, time, name, value)   a view: the measures with their names, for plotting
//
// PRAGMA user_version is the version of this format, PRAGMA application_id is 0x504C4E54 ("PLNT").
// While a run is going on (or after it was killed) the newest frames are in FILE-wal beside the
// file: SQLite reads both as one. finish() folds them into the one file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/model/frame.h>

namespace pliant {

struct ContactLog;

/// What is known before the first frame.
struct RecordingHeader {
    std::string scene_text;      ///< the scene as it was run, JSON
    std::string scene_path;      ///< where it was read from; may be empty
    std::string version;         ///< of the pliant that recorded it
    std::uint64_t model_id = 0;  ///< hash of the Model; a snapshot fits only the same one
    Topology topology;
};

/// One thing done to the running world from outside.
struct RecordedInput {
    double time = 0;     ///< [s] when it took effect
    std::string target;  ///< path of what was changed
    std::string value;   ///< JSON
};

/// A full state, opaque to this room.
struct SnapshotBlob {
    std::int64_t frame_index = 0;  ///< the frame that shows the same instant
    std::vector<std::byte> state;
};

/// What a contact log counts, without its arrays.
struct ContactCounts {
    std::int64_t frame = 0;                           ///< Frame::index
    double time = 0, h = 0;                           ///< [s] start and length of the step
    std::int64_t broad = 0, near = 0, impacts = 0;    ///< pairs; impacts of all rounds
    std::int64_t near_planes = 0, plane_impacts = 0;  ///< vertices
    std::int64_t meshes = 0;                          ///< ContactLog::rounds
    std::int64_t zones = 0;
    double gap = 0;      ///< [m] smallest distance of what is near; not a number without any
    double seconds = 0;  ///< of the machine

    /// Rounds of impulses or moves of zones: the first mesh is the repelled one, the last one the end.
    std::int64_t rounds() const { return meshes > 2 ? meshes - 2 : 0; }
};
ContactCounts contact_counts(const ContactLog& log);

/// Writes a take, frame by frame. Whatever cannot be written is a pliant::Error; what was written
/// before it stays. Destroying an unfinished writer keeps its frames too.
class RecordingWriter {
public:
    /// Starts a take. An existing file is an Error unless `overwrite`.
    static RecordingWriter create(const std::string& path, const RecordingHeader& header, bool overwrite);
    /// Opens an existing take, finished or not, to append to it; it counts as unfinished again.
    static RecordingWriter resume(const std::string& path);

    RecordingWriter(RecordingWriter&&) noexcept;
    RecordingWriter& operator=(RecordingWriter&&) noexcept;
    ~RecordingWriter();

    /// Appends a frame; when it returns, the frame survives the death of this process. Sizes follow
    /// the topology and Frame::index grows (gaps are allowed: a viewer may drop frames).
    void add_frame(const Frame& frame);
    /// Appends an input; it belongs after the last frame added.
    void add_input(const RecordedInput& input);
    /// Keeps a state from which the run can go on. Only the last two are kept, unless told
    /// otherwise.
    void add_snapshot(std::int64_t frame_index, std::span<const std::byte> state);
    void keep_all_snapshots(bool keep_all);
    /// Keeps what contact did in the last step before a frame that was added.
    void add_contacts(std::int64_t frame_index, const ContactLog& log);
    /// Forgets frames and snapshots after `frame_index`, and inputs that were added after that
    /// frame.
    void drop_after(std::int64_t frame_index);
    /// Marks the take complete and leaves one file, nothing beside it.
    void finish(const std::string& summary_json);

    const std::string& path() const;
    std::int64_t last_frame_index() const;  ///< Frame::index of the last frame; -1 before the first

private:
    struct Parts;
    explicit RecordingWriter(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

/// Reads a take, also one that is still being written. Frames are addressed by position: frame(k)
/// is the k-th recorded one, and its Frame::index is k too unless the recorder dropped frames.
/// A damaged, foreign or hostile file is a pliant::Error. One thread at a time.
class Recording {
public:
    static Recording open(const std::string& path);

    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;
    ~Recording();

    const std::string& path() const;
    const RecordingHeader& header() const;
    std::int64_t frame_count() const;
    bool is_finished() const;
    std::string summary() const;  ///< JSON given to finish(); empty before

    Frame frame(std::int64_t index) const;
    std::vector<Vec3> positions(std::int64_t index) const;  ///< only x of frame(index), cheaper
    std::vector<double> times() const;                      ///< [s], one per frame
    /// One value per frame; an unknown name is an Error that says the nearest one.
    std::vector<double> measure(const std::string& name) const;
    std::vector<std::vector<double>> stage_seconds() const;  ///< [stage][frame]
    std::optional<SnapshotBlob> last_snapshot() const;
    std::vector<RecordedInput> inputs() const;
    /// What contact did in the last step before frame(index), where that was recorded (contact/contact_log.h).
    std::optional<ContactLog> contacts(std::int64_t index) const;
    std::vector<ContactCounts> contact_counts() const;  ///< of the frames that have a log, in order

    /// Looks for frames added by a running writer since open() or the last refresh().
    void refresh();

private:
    struct Parts;
    explicit Recording(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
