import type { Interfaces } from '@oclif/core';

type Relationships = NonNullable<Interfaces.BooleanFlag<boolean>['relationships']>;

/**
 * What `exclusive` of a flag means. The usage line that help makes of `exclusive` and `dependsOn`
 * puts the flags of both into one bracket, which is right for two flags alone: of more, some are
 * left out there, and what may be given by itself looks as if it needed the others.
 */
export const excludes = (...flags: string[]): Relationships => [{ type: 'none', flags }];

/** What `dependsOn` of a flag means; see {@link excludes}. */
export const requires = (...flags: string[]): Relationships => [{ type: 'all', flags }];
