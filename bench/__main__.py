"""All benchmarks: so far those of the rules."""

import sys

from bench.domain import main

sys.exit(main())
