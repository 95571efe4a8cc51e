/**
 * The one compiler setting of the repository: legacy decorators with metadata (NestJS injects by
 * it), class fields assigned, names kept.
 * @param {{ rewriteImports: boolean }} options rewriteImports: `./x.ts` becomes `./x.js` in emitted
 * files; tests run the sources and keep `.ts`.
 */
export const swcOptions = ({ rewriteImports }) => ({
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    ...(rewriteImports && { rewriteRelativeImportExtensions: true }),
  },
  module: { type: 'es6' },
});
