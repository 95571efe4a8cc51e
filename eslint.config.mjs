import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const environment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Read the environment in config.ts only (house rule 9).',
};

const errorBase = {
  selector: 'ClassDeclaration[superClass.name=/^(Error|TypeError|RangeError|SyntaxError)$/]',
  message: 'Errors extend GatehouseError of @gatehouse/errors: they have a stable code.',
};

const numberedParameter = {
  selector: 'TemplateElement[value.raw=/\\?\\d/]',
  message: 'Use ? in SQL: node:sqlite of Node 22 cannot bind values to ?1.',
};

// `npm run check:lint` gives one program for all libraries: a program for each would read and check
// the same packages again. Editors and single files use the program of their project.
const program = process.env.GATEHOUSE_LINT_PROGRAM;
const types = program === undefined ? { projectService: true } : { project: program };

const outgoing = 'Calls of services go out through @gatehouse/egress, which judges every address that is dialled.';

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/dist-test/**',
      '**/.nx/**',
      '**/.cache/**',
      'libs/contracts/*/src/**',
      'libs/ai-resources/src/generated/**',
      'tools/checks/fixtures/**',
      'tools/contracts/wire/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: types },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Deprecated only to stand out: the local identity provider speaks HTTP on the loopback
      // address.
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [
            { from: 'package', package: 'openid-client', name: 'allowInsecureRequests' },
            // The older era of MCP is deprecated by its SDK, and served by us for as long as
            // clients speak it.
            {
              from: 'package',
              package: '@modelcontextprotocol/client',
              name: [
                'SSEClientTransport',
                'CreateMessageRequest',
                'CreateMessageResult',
                'ListRootsResult',
                'LoggingLevel',
              ],
            },
            {
              from: 'package',
              package: '@modelcontextprotocol/server',
              name: ['Server', 'getClientCapabilities', 'elicitInput', 'requestSampling', 'log'],
            },
          ],
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        clearTimeout: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        performance: 'readonly',
        structuredClone: 'readonly',
        TextDecoder: 'readonly',
        TextEncoder: 'readonly',
      },
    },
  },
  {
    files: ['**/*.test.ts', '**/e2e/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['**/config.ts', '**/*.test.ts', 'libs/testing/**', 'libs/errors/**'],
    rules: {
      'no-restricted-syntax': ['error', environment, errorBase, numberedParameter],
    },
  },
  {
    files: [
      'apps/{enterprise-manager,connector-gateway,ai-gateway,ai-gateway-mgmt,console}/src/**/*.ts',
      'libs/{auth,mcp,service-kit}/src/**/*.ts',
    ],
    // The Kubernetes API lies at a configured address, with an authority of its own.
    ignores: ['**/*.test.ts', '**/*.fixture.ts', '**/kubernetes-api.ts', 'apps/*/src/kubernetes/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({ name, message: outgoing })),
      ],
      'no-restricted-properties': [
        'error',
        ...['globalThis', 'global'].map((object) => ({ object, property: 'fetch', message: outgoing })),
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:http', importNames: ['request', 'get', 'Agent', 'default'], message: outgoing },
            {
              name: 'node:net',
              importNames: ['connect', 'createConnection', 'Socket', 'default'],
              message: outgoing,
              allowTypeImports: true,
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      'apps/*/src/**/*.{ts,tsx}',
      'apps/console/web/src/**/*.{ts,tsx}',
      'libs/*/src/**/*.ts',
      'tools/bench/**/*.mjs',
    ],
    ignores: ['**/*.test.ts', '**/*.fixture.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['**/*.{ts,tsx,mjs,cjs}'],
    rules: {
      'max-lines': ['error', 500],
      // Prettier wraps code; it leaves comments as they are.
      'max-len': ['error', { code: 10_000, comments: 100, ignoreUrls: true }],
    },
  },
);
