// SPDX-License-Identifier: MIT
#pragma once

// Solutions that cloth is measured against, each from the equations of a continuum, none from a mesh.
//
// Here: a cantilevered strip (heavy elastica), a strip between two points (catenary), a sheet hung by an edge, a
// stretched membrane's notes, a rubber balloon's pressure, and the drape coefficient of a mesh. Impossible numbers
// throw Error.
//
// Strips and sheets are taken per unit of rest width, so that no width appears: L rest length [m], B bending stiffness
// [N m], K stretch stiffness [N/m], w weight per rest area [N/m2] (density times gravity), tensions [N/m]. For
// a strip as a whole K in [N] with w in [N/m] gives the same shapes. y is up.

#include <span>
#include <vector>

#include <pliant/base/types.h>

namespace pliant::reference {

/// Tension T over stretch l = length / rest length of a strip with free sides, T per rest width:
///   inextensible         l = 1
///   linear               T = K (l - 1)            springs, any number of them in a row
///   st_venant_kirchhoff  T = K l (l^2 - 1) / 2    second Piola-Kirchhoff stress K times Green's strain
enum class StripLaw { inextensible, linear, st_venant_kirchhoff };

/// l for a tension of 0 or more; the stiffness is not looked at when inextensible.
double stretch_under(double tension, StripLaw law, double stiffness);

/// A place on a cantilevered strip.
struct ElasticaPoint {
    double s = 0;      ///< [m] from the clamp, along the strip
    double x = 0;      ///< [m] from the clamp, horizontally
    double y = 0;      ///< [m] above the clamp: 0 or less
    double angle = 0;  ///< [rad] below the horizontal
};

/// Shape of an inextensible strip clamped horizontally at one end, under its own weight, at count >= 2 places of
/// equal distance from the clamp to the tip:
///   B angle'' = -w (L - s) cos(angle),  angle(0) = 0,  angle'(L) = 0
/// to about 1e-11 L for w L^3 / B up to 1e5. Reference: Bickley, Philosophical Magazine 17 (1934) 603; as a test of
/// simulators Romero et al., SIGGRAPH 2021.
std::vector<ElasticaPoint> heavy_elastica(double length, double bend, double weight, int count = 2);

/// A strip between two supports of equal height.
struct Catenary {
    double sag = 0;               ///< [m] lowest point below the supports
    double horizontal_force = 0;  ///< [N/m] the same everywhere
    double support_force = 0;     ///< [N/m] tension at the supports
};

/// Without bending. Horizontal force H from x(L/2) = D/2, with T(s) = sqrt(H^2 + (w s)^2) at the rest distance s from
/// the middle, dx/ds = l H / T, dy/ds = l w s / T. An elastic strip may be shorter than the span.
/// Reference: Irvine, Cable Structures (1981), section 2.1, for the linear law.
Catenary catenary(double span, double length, double weight, StripLaw law, double stiffness);

/// A sheet hung by its upper edge, its sides free: uniaxial stress, Poisson's ratio changes the width alone. (An edge
/// that is held also keeps its width; that stiffens about a width's length of sheet by up to 1/(1 - nu_uv nu_vu).)
struct HungSheet {
    double lowest = 0;       ///< [m] lower edge below the upper one
    double top_stretch = 0;  ///< [1] at the upper edge
    double top_width = 0;    ///< [1] width over rest width there, if the edge were free to narrow
};

/// K l (l^2 - 1)/2 = w (L - s) integrated over s, and likewise for the linear law; poisson is nu_uv, u downwards.
HungSheet hung_sheet(double length, double weight, StripLaw law, double stiffness, double poisson);

/// [Hz] of the mode with m x n half waves of a rectangular membrane a x b [m] on a rigid frame, tension [N/m] the same
/// in all directions, density [kg/m2], in vacuum: sqrt(T/rho ((m/a)^2 + (n/b)^2)) / 2.
double membrane_frequency(double a, double b, double tension, double density, int m = 1, int n = 1);

/// [Pa] inside over outside of an incompressible neo-Hookean balloon at `stretch` times its rest radius R [m], with
/// a wall of rest thickness H [m] and shear modulus mu [Pa]: 2 mu (H/R) (1/l - 1/l^7), largest at l = 7^(1/6).
/// Reference: Treloar, The Physics of Rubber Elasticity.
double balloon_pressure(double stretch, double shear_modulus, double thickness, double radius);

/// [m2] shadow of a mesh on the ground (x, z) in vertical light: the area of the union, overlaps counted once. Counted
/// in squares, `cells` of them along the longer side of the bounding rectangle, by their middles: off by at most half a
/// square's side times the length of the outline, and mostly by far less.
double projected_area(std::span<const Vec3> vertices, std::span<const Triangle> triangles, int cells = 2048);

/// Cusick's drape coefficient of a disc over a smaller round support, 1 for a rigid disc:
///   (shadow - pi r^2) / (pi R^2 - pi r^2).   ISO 9073-9 has R = 0.15, r = 0.09 m.
double drape_coefficient(double shadow, double disc_radius, double support_radius);

}  // namespace pliant::reference
