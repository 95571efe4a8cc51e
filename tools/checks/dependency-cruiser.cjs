// The import rules. The folder of the same name in fixtures/ violates each rule, and imports.mjs
// fails when a fixture passes. A package that is not installed keeps its bare name.
const modules = (names) => `(^|(^|/)node_modules/)(${names})(/|$)`;
const nest = '@nestjs/[^/]+';
const orm = 'typeorm|pg';
const kubernetes = '@kubernetes/client-node';
const cli = '@oclif/[^/]+';
const test = '\\.(test|fixture)\\.ts$|(^|/)e2e/';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Files that import each other cannot be understood, tested or moved separately.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-framework-in-core-libs',
      comment: 'Code for an audit must not depend on a framework, an ORM or a cluster.',
      severity: 'error',
      from: {
        path: '^libs/(ai-policies|auth|egress|envelope|errors|local-files|mcp|mcp-clients|mcp-registry|money|policy|proxy|secrets|signed-config|workloads)/',
        pathNot: test,
      },
      to: { path: modules(`${nest}|${orm}|${kubernetes}|${cli}`) },
    },
    {
      name: 'nest-only-in-service-kit',
      comment: 'Only service-kit uses Nest, because the CLI and the supervisor use the other libraries too.',
      severity: 'error',
      from: { path: '^libs/', pathNot: `^libs/service-kit/|^libs/contracts/[^/]+/src/dto|${test}` },
      to: { path: modules(nest) },
    },
    {
      name: 'no-heavy-library-in-cli',
      comment: 'A command must start within tens of milliseconds, so no reachable module loads Nest or TypeORM.',
      severity: 'error',
      from: { path: '^apps/cli/', pathNot: test },
      to: { path: modules(`${nest}|typeorm`), reachable: true },
    },
    {
      name: 'no-app-imports-an-app',
      comment: 'Apps communicate over HTTP through a contract.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-service-imports-its-own-contract',
      comment: 'The contract is generated from the service, so an import would be circular.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/' },
      to: { path: '(^|/)libs/contracts/$1/' },
    },
    {
      name: 'no-swagger-in-validation',
      comment: 'The descriptions load @nestjs/swagger (0.3 s, 15 MB). Services need only the rules in validation.ts.',
      severity: 'error',
      from: { path: '^(apps/[^/]+|libs/service-kit)/src/', pathNot: test },
      to: { path: '(^|/)libs/contracts/[^/]+/(src|dist)/dto\\.' },
    },
    {
      name: 'no-repository-in-controllers',
      comment: 'A controller calls services. Only repositories use tables.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.(repository|entity)\\.ts$' },
    },
    {
      name: 'no-database-in-data-plane',
      comment: 'The MCP data plane receives its data through ports and must run without an ORM.',
      severity: 'error',
      from: { path: '^apps/connector-gateway/src/mcp/', pathNot: test },
      to: { path: `${modules(orm)}|^apps/connector-gateway/src/database/|\\.(repository|entity)\\.ts$` },
    },
    {
      name: 'kubernetes-client-in-one-library',
      comment: 'Only libs/kubernetes loads @kubernetes/client-node, when a cluster is used.',
      severity: 'error',
      from: { pathNot: '^libs/kubernetes/' },
      to: { path: modules(kubernetes) },
    },
    {
      name: 'kubernetes-client-loaded-lazily',
      comment: 'The client needs 0.4 s and 90 MB, so a process without a cluster must not load it.',
      severity: 'error',
      from: { path: '^libs/kubernetes/' },
      to: { path: modules(kubernetes), dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'outgoing-requests-through-egress',
      comment:
        'libs/egress checks the address of every outgoing request. For the same reason eslint forbids the global fetch in services.',
      severity: 'error',
      from: {
        path: '^apps/(enterprise-manager|connector-gateway|ai-gateway|ai-gateway-mgmt|console)/src/|^libs/(auth|mcp|mcp-registry|service-kit)/src/',
        pathNot: test,
      },
      to: {
        path: `^(node:)?(https|http2|tls|dgram)$|${modules('undici|axios|got|node-fetch|ky|superagent')}`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'test-library-in-tests-only',
      comment: 'Production code must not import the test library.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: `^libs/testing/|${test}` },
      to: { path: '(^|/)libs/testing/' },
    },
    {
      name: 'no-relative-import-of-other-project',
      comment: 'nx affected and the build order do not see a relative path into another project.',
      severity: 'error',
      from: { path: '^((?:apps|libs/contracts|libs|tools)/[^/]+)/' },
      to: { path: '^(apps|libs)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '(^|/)(dist-test|fixtures|\\.nx)/|^(apps|libs|tools|libs/contracts)/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${__dirname}/../../tsconfig.base.json` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['gatehouse-source', 'node', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
