// What the joints of a figure are called in the conventions in use.
#pragma once

#include <string>

#include "generate/figure.h"

namespace tailfix::generate {

std::string joint_name(const std::string& convention, const FigureJoint& joint, int number);

} // namespace tailfix::generate
