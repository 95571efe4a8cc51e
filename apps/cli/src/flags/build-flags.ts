import { Flags } from '@oclif/core';

/** A flag that may be repeated, each time with one value. */
export const list = (description: string, char?: 'l' | 'e' | 'v' | 'p') =>
  Flags.string({ description, multiple: true, multipleNonGreedy: true, ...(char && { char }) });

/** The flags of commands that build the image of a package. */
export const buildFlags = {
  'build-with': list('constraint of a dependency of a uvx:// package, such as "pydantic<2"; may be repeated'),
  'ca-cert': Flags.string({ description: 'file with certificates that the build and the server trust (PEM)' }),
  'runtime-image': Flags.string({ description: 'base image for uvx://, npx:// and go:// packages' }),
  'runtime-add-package': list('package of the operating system for the image of a package; may be repeated'),
};

/** Names flags as the library does: `build-with` becomes `buildWith`. */
export const toCamelCase = (flags: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(flags).map(([key, value]) => [
      key.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
