#include "rig/harmonic.h"

#include <algorithm>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

namespace tailfix {
namespace {

// Far below what a file's 8-bit weights resolve; reached in some hundred steps on bands of a thousand points.
constexpr double kTolerance = 1e-8;
// Of the diagonal: pulls a free point that is joined to nothing fixed to its own value, and does nothing to others.
constexpr double kAnchor = 1e-9;

} // namespace

Eigen::MatrixXd fill_harmonic(const Eigen::MatrixXd& values, const std::vector<bool>& free,
                              const std::vector<SkinEdge>& edges)
{
    std::vector<int> unknown(free.size(), -1);
    int count = 0;
    for (std::size_t p = 0; p < free.size(); ++p)
        if (free[p]) unknown[p] = count++;
    if (count == 0) return values;

    double shortest = 0; // a typical length, for edges of none
    for (const auto& e : edges) shortest += e.length;
    shortest = edges.empty() ? 1 : std::max(1e-6 * shortest / static_cast<double>(edges.size()), 1e-300);

    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(count);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(count, values.cols());
    for (const auto& e : edges) {
        const double weight = 1 / std::max(e.length, shortest);
        for (const auto& [p, q] : {std::pair(e.a, e.b), std::pair(e.b, e.a)}) {
            const int row = unknown[static_cast<std::size_t>(p)], other = unknown[static_cast<std::size_t>(q)];
            if (row < 0) continue;
            diagonal[row] += weight;
            if (other >= 0) {
                entries.emplace_back(row, other, -weight);
            } else {
                right.row(row) += weight * values.row(q);
            }
        }
    }
    const double scale = std::max(diagonal.maxCoeff(), 1.0);
    for (std::size_t p = 0; p < free.size(); ++p) {
        const int row = unknown[p];
        if (row < 0) continue;
        right.row(row) += kAnchor * scale * values.row(static_cast<Eigen::Index>(p));
        entries.emplace_back(row, row, diagonal[row] + kAnchor * scale);
    }
    Eigen::SparseMatrix<double> matrix(count, count);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> solver;
    solver.setTolerance(kTolerance);
    solver.compute(matrix);

    Eigen::MatrixXd out = values;
    for (Eigen::Index joint = 0; joint < values.cols(); ++joint) {
        const Eigen::VectorXd solution = solver.solve(right.col(joint));
        for (std::size_t p = 0; p < free.size(); ++p)
            if (unknown[p] >= 0) out(static_cast<Eigen::Index>(p), joint) = solution[unknown[p]];
    }
    return out;
}

} // namespace tailfix
