import type { Interfaces } from '@oclif/core';

type Relationships = NonNullable<Interfaces.BooleanFlag<boolean>['relationships']>;

/**
 * Has the effect of `exclusive`. Help puts the flags of `exclusive` and `dependsOn` into one
 * bracket of the usage line. For more than two flags that bracket is wrong: it leaves flags out,
 * and shows independent flags as dependent.
 */
export const excludes = (...flags: string[]): Relationships => [{ type: 'none', flags }];

/** Has the effect of `dependsOn`; see {@link excludes}. */
export const requires = (...flags: string[]): Relationships => [{ type: 'all', flags }];
