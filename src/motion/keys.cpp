#include "motion/keys.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tailfix {

namespace {

using Locals = std::vector<Eigen::Quaterniond>;

// A link in the frame of the joint that the chain hangs from, metres.
struct PlacedLink {
    Eigen::Vector3d head, tip;
    Eigen::Quaterniond turn;
};

std::vector<PlacedLink> place_links(const Eigen::Quaterniond* local, const KeyedChain& chain)
{
    std::vector<PlacedLink> out;
    out.reserve(chain.arc->links.size());
    Eigen::Vector3d head = Eigen::Vector3d::Zero();
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    for (std::size_t i = 0; i < chain.arc->links.size(); ++i) {
        const RestLink& link = chain.arc->links[i];
        turn = turn * local[i];
        const Eigen::Vector3d along = link.neutral_rotation.conjugate() * link.neutral;
        const Eigen::Vector3d tip = head + link.length * chain.meters_per_bind_unit * (turn * along);
        out.push_back({head, tip, turn});
        head = tip;
    }
    return out;
}

// Bounds how far skin within a radius of the bone is from where it should be: a point of the bone moves at most as far
// as one of its ends, and what is around it by the chord of the turn.
double skin_error(const std::vector<PlacedLink>& a, const std::vector<PlacedLink>& b, const std::vector<double>& radius)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double bone = std::max((a[i].head - b[i].head).norm(), (a[i].tip - b[i].tip).norm());
        const double chord = 2 * (a[i].turn.conjugate() * b[i].turn).vec().norm();
        worst = std::max(worst, bone + chord * radius[i]);
    }
    return worst;
}

struct Key {
    float time;
    Locals locals;
};

class KeyChooser {
public:
    KeyChooser(const Recording& recording, const Drive& drive, const KeyedChain& chain, const KeyRules& rules)
        : recording_(recording), drive_(drive), chain_(chain), rules_(rules)
    {
        for (std::size_t t = 0; t < recording.times(); ++t)
            simulated_.push_back(place_links(&recording.local[t * recording.links], chain));
    }

    std::vector<Key> choose() const
    {
        // A settled pose, recorded once, needs no more than the clip's ends.
        const double rate = recording_.times() > 1 ? rules_.rate_hz : 0;
        std::vector<Key> all;
        for (const float time : rate_times(drive_.start, drive_.end, rate)) all.push_back(key_at(time));
        if (rules_.tolerance_m <= 0 || all.size() < 2) return all;
        if (rules_.loop) add_beside_seam(all);
        std::vector<Key> out{all.front()};
        const std::size_t last = all.size() - 1;
        if (within(all[0], all[last]) && still(all)) return {all[0], all[last]};
        const std::size_t first_stop = rules_.loop ? std::min<std::size_t>(1, last) : 0;
        const std::size_t last_stop = rules_.loop ? std::max(last - 1, first_stop) : last;
        for (std::size_t i = 0; i < last;) {
            const std::size_t stop = i < first_stop ? first_stop : i < last_stop ? last_stop : last;
            const std::size_t next = farthest(all, i, stop);
            if (next == i + 1) add_between(all[i], all[next], out);
            out.push_back(all[next]);
            i = next;
        }
        return out;
    }

private:
    Key key_at(float time) const
    {
        Key key{time, locals_at(recording_, drive_, static_cast<double>(time))};
        // Stored as floats: the error below is that of what is stored.
        for (auto& q : key.locals) q = q.cast<float>().normalized().cast<double>().normalized();
        return key;
    }

    // The spans beside a loop's seam are one step of the simulation each: equally long, so that both show the speed
    // that the tail has at the seam, and so short that they show little else.
    void add_beside_seam(std::vector<Key>& all) const
    {
        const auto first = static_cast<float>(drive_.start + drive_.dt),
                   last = static_cast<float>(drive_.end - drive_.dt);
        if (drive_.steps() < 4) return;
        if (first < all[1].time) all.insert(all.begin() + 1, key_at(first));
        if (last > all[all.size() - 2].time) all.insert(all.end() - 1, key_at(last));
    }

    // A tail that does not move needs no keys at the seam either.
    bool still(const std::vector<Key>& all) const
    {
        const double tiny = 1e-6; // radians times two: a float's rounding
        for (const Key& key : all)
            for (std::size_t i = 0; i < key.locals.size(); ++i)
                if ((all[0].locals[i].conjugate() * key.locals[i]).vec().norm() > tiny) return false;
        return true;
    }

    std::pair<std::size_t, std::size_t> grid_between(const Key& a, const Key& b) const
    {
        const auto place = [&](float time) { return (static_cast<double>(time) - drive_.start) / drive_.dt; };
        const auto from = static_cast<std::size_t>(std::max(0.0, std::floor(place(a.time)) + 1));
        const auto to = static_cast<std::size_t>(
            std::clamp(std::ceil(place(b.time)), 0.0, static_cast<double>(recording_.times())));
        return {from, std::max(from, to)};
    }

    bool within(const Key& a, const Key& b) const
    {
        const auto [from, to] = grid_between(a, b);
        Locals locals(a.locals.size());
        for (std::size_t t = from; t < to; ++t) {
            const double time = drive_.start + static_cast<double>(t) * drive_.dt;
            const double f =
                (time - static_cast<double>(a.time)) / (static_cast<double>(b.time) - static_cast<double>(a.time));
            for (std::size_t i = 0; i < locals.size(); ++i)
                locals[i] = a.locals[i].slerp(std::clamp(f, 0.0, 1.0), b.locals[i]);
            if (skin_error(simulated_[t], place_links(locals.data(), chain_), chain_.radius) > rules_.tolerance_m)
                return false;
        }
        return true;
    }

    // The farthest key up to `stop` that one span reaches: doubling, then halving.
    std::size_t farthest(const std::vector<Key>& all, std::size_t i, std::size_t stop) const
    {
        std::size_t good = i + 1, bad = stop + 1;
        if (good >= stop) return good;
        for (std::size_t reach = 2; good < stop; reach *= 2) {
            const std::size_t next = std::min(i + reach, stop);
            if (!within(all[i], all[next])) {
                bad = next;
                break;
            }
            good = next;
        }
        while (bad - good > 1 && good < stop) {
            const std::size_t middle = good + (bad - good) / 2;
            (within(all[i], all[middle]) ? good : bad) = middle;
        }
        return good;
    }

    // Where the rate alone would miss the motion: the grid time in the middle, and again on both sides.
    void add_between(const Key& a, const Key& b, std::vector<Key>& out) const
    {
        const auto [from, to] = grid_between(a, b);
        if (to <= from || within(a, b)) return;
        const auto time = static_cast<float>(drive_.start + static_cast<double>(from + (to - from) / 2) * drive_.dt);
        if (time <= a.time || time >= b.time) return;
        const Key middle = key_at(time);
        add_between(a, middle, out);
        out.push_back(middle);
        add_between(middle, b, out);
    }

    const Recording& recording_;
    const Drive& drive_;
    const KeyedChain& chain_;
    const KeyRules& rules_;
    std::vector<std::vector<PlacedLink>> simulated_;
};

} // namespace

Locals locals_at(const Recording& recording, const Drive& drive, double time)
{
    const std::size_t last = recording.times() - 1;
    const double place = drive.dt > 0 ? std::clamp((time - drive.start) / drive.dt, 0.0, static_cast<double>(last)) : 0;
    const auto below = std::min(static_cast<std::size_t>(place), last);
    const double f = place - static_cast<double>(below);
    Locals out;
    out.reserve(recording.links);
    for (std::size_t i = 0; i < recording.links; ++i)
        out.push_back(below == last ? recording.at(last, i)
                                    : recording.at(below, i).slerp(f, recording.at(below + 1, i)));
    return out;
}

std::vector<float> rate_times(double start, double end, double rate_hz)
{
    std::vector<float> out{static_cast<float>(start)};
    const double period = rate_hz > 0 ? 1 / rate_hz : std::numeric_limits<double>::infinity();
    // A period that ends within a tenth of the clip's end is the end: no key right beside the last.
    for (int i = 1; start + (i + 0.1) * period < end; ++i) {
        const auto time = static_cast<float>(start + i * period);
        if (time > out.back()) out.push_back(time);
    }
    if (static_cast<float>(end) > out.back()) out.push_back(static_cast<float>(end));
    return out;
}

std::vector<BakedTrack> key_tracks(const Recording& recording, const Drive& drive, const KeyedChain& chain,
                                   const KeyRules& rules)
{
    const std::vector<Key> keys = KeyChooser(recording, drive, chain, rules).choose();
    std::vector<BakedTrack> tracks;
    for (std::size_t i = 0; i < recording.links; ++i) {
        BakedTrack track;
        track.joint = chain.joints[i];
        for (const Key& key : keys) {
            Eigen::Quaternionf q = key.locals[i].cast<float>();
            if (!track.rotations.empty() && q.dot(track.rotations.back()) < 0) q.coeffs() = -q.coeffs();
            track.times.push_back(key.time);
            track.rotations.push_back(q);
        }
        tracks.push_back(std::move(track));
    }
    return tracks;
}

} // namespace tailfix
