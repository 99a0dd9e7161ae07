#include "cli/printable.h"

#include "support/catch.h"

using tailfix::printable;

TEST_CASE("nothing in a name reaches the terminal as a command", "[cli]")
{
    CHECK(printable("Tail\x1b[31m\a\r\n\x7f") == "Tail [31m    ");
    CHECK(printable("a\xc2\x9b"
                    "31m") == "a 31m"); // CSI of U+0080 to U+009F
    CHECK(printable("a\xe2\x80\xae"
                    "b\xe2\x81\xa6"
                    "c\xe2\x80\x8f") == "a b c "); // marks that turn text around
    CHECK(printable("\xe5\xb0\xbb\xe5\xb0\xbe \xc3\xa9 \xe2\x80\xa6") ==
          "\xe5\xb0\xbb\xe5\xb0\xbe \xc3\xa9 \xe2\x80\xa6");
    CHECK(printable("one\ntwo\x1b", true) == "one\ntwo ");
    CHECK(printable("cut\xe2\x80") == "cut\xe2\x80");
}
