// SPDX-License-Identifier: MIT
#include <pliant/response/projection.h>

#include <cmath>
#include <utility>

#include <pliant/contact/search.h>
#include <pliant/model/points.h>
#include <pliant/response/correction.h>

namespace pliant {

double separation_speed(RestitutionRule rule, double e, double u_n, double u_t, double w_a, double w_b)
{
    if (rule == RestitutionRule::newton) return -e * u_n;
    // Energy in the frame of the struck body, times e. The striking body is the one that can move.
    if (w_a == 0) std::swap(w_a, w_b);
    const double r = w_b / w_a;
    const double left = u_n * u_n * (e * (r + 1) - r) - (r + 1) * (1 - e) * u_t * u_t;
    // A grazing impact cannot lose as much along the normal as is asked: then it loses all it can.
    return left > 0 ? std::sqrt(left) : 0;
}

ContactQuery query_of(const State& state, const Model& model)
{
    return {.x = state.x,
            .points = model.contact_points,
            .shapes = model.shapes,
            .faces = model.contact_faces,
            .face_body = model.contact_face_body,
            .held = state.held,
            .first_frame_node = model.free_count,
            .all_faces = state.contact.faces == ContactFaces::all};
}

int correct_by_projection(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    if (!from.contact.enabled || model.shapes.empty()) return 0;
    find_contacts(scratch.contacts, query_of(to, model));
    if (scratch.contacts.empty()) return 0;
    Correction correction(to, model, from, h, to.x, to.v);
    auto& rows = scratch.contact_rows;
    rows.clear();
    for (const Contact& contact : scratch.contacts) rows.push_back(correction.make_row(contact));
    for (int pass = 0; pass < from.contact.iterations; ++pass)
        for (std::size_t i = 0; i < rows.size(); ++i) {
            correction.project(scratch.contacts[i], rows[i]);
            correction.push_apart(scratch.contacts[i], rows[i]);
            correction.rub(scratch.contacts[i], rows[i]);
        }
    for (std::size_t i = 0; i < rows.size(); ++i) correction.book(scratch.contacts[i], rows[i]);
    for (std::size_t i = 0; i < rows.size(); ++i) correction.carry(scratch.contacts[i], rows[i]);
    place_bound_points(to.x, to.v, model);
    return static_cast<int>(scratch.contacts.size());
}

}  // namespace pliant
