/**
 * Returns the compiler settings of the repository: legacy decorators with metadata, which NestJS
 * needs for injection, assigned class fields, and unchanged names.
 * @param {{ rewriteImports: boolean }} options rewriteImports: emitted files import `./x.js`
 * instead of `./x.ts`; tests run the sources and keep `.ts`
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
