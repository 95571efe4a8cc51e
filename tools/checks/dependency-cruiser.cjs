// The walls of the house. Every rule has a folder of the same name in fixtures/ that breaks it;
// imports.mjs fails when one of them passes. A package that is not installed keeps its bare name.
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
      comment: 'Two files that import each other cannot be understood, tested or moved alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-libs-are-plain-node',
      comment: 'What an auditor reads must not depend on a framework, an ORM or a cluster.',
      severity: 'error',
      from: {
        path: '^libs/(auth|egress|envelope|errors|mcp|money|policy|proxy|signed-config|workloads)/',
        pathNot: test,
      },
      to: { path: modules(`${nest}|${orm}|${kubernetes}|${cli}`) },
    },
    {
      name: 'nest-lives-in-service-kit',
      comment: 'service-kit is the one library that knows Nest; the others serve the CLI and the supervisor too.',
      severity: 'error',
      from: { path: '^libs/', pathNot: `^libs/service-kit/|^libs/contracts/[^/]+/src/dto|${test}` },
      to: { path: modules(nest) },
    },
    {
      name: 'cli-starts-light',
      comment: 'A command must answer in tens of milliseconds: nothing it can reach loads Nest or TypeORM.',
      severity: 'error',
      from: { path: '^apps/cli/', pathNot: test },
      to: { path: modules(`${nest}|typeorm`), reachable: true },
    },
    {
      name: 'no-app-imports-an-app',
      comment: 'Apps meet over HTTP, through a contract.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-service-imports-its-own-contract',
      comment: 'The contract is generated from the service; importing it back would be a circle.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/' },
      to: { path: '(^|/)libs/contracts/$1/' },
    },
    {
      name: 'services-validate-without-swagger',
      comment: 'The descriptions load @nestjs/swagger (0.3 s, 15 MB); services need only the rules in validation.ts.',
      severity: 'error',
      from: { path: '^(apps/[^/]+|libs/service-kit)/src/', pathNot: test },
      to: { path: '(^|/)libs/contracts/[^/]+/(src|dist)/dto\\.' },
    },
    {
      name: 'controllers-talk-to-services',
      comment: 'A controller is a route, a role and one line of work; tables are the repository’s.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.(repository|entity)\\.ts$' },
    },
    {
      name: 'data-plane-knows-no-database',
      comment: 'The MCP data plane is handed what it needs; it must be able to run without an ORM.',
      severity: 'error',
      from: { path: '^apps/connector-gateway/src/mcp/', pathNot: test },
      to: { path: `${modules(orm)}|^apps/connector-gateway/src/database/|\\.(repository|entity)\\.ts$` },
    },
    {
      name: 'kubernetes-behind-one-door',
      comment: 'libs/kubernetes alone loads @kubernetes/client-node, and only when a cluster is used.',
      severity: 'error',
      from: { pathNot: '^libs/kubernetes/' },
      to: { path: modules(kubernetes) },
    },
    {
      name: 'kubernetes-is-loaded-lazily',
      comment: 'The library takes 0.4 s and 90 MB: a process without a cluster must not load it.',
      severity: 'error',
      from: { path: '^libs/kubernetes/' },
      to: { path: modules(kubernetes), dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'calls-go-out-through-egress',
      comment:
        'libs/egress judges every address that a service dials; eslint keeps the global fetch out of services for the same reason.',
      severity: 'error',
      from: {
        path: '^apps/(enterprise-manager|connector-gateway|ai-gateway|ai-gateway-mgmt|console)/src/|^libs/(auth|mcp|service-kit)/src/',
        pathNot: test,
      },
      to: {
        path: `^(node:)?(https|http2|tls|dgram)$|${modules('undici|axios|got|node-fetch|ky|superagent')}`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'fixtures-stay-in-tests',
      comment: 'Nothing that runs in production may import the test library.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: `^libs/testing/|${test}` },
      to: { path: '(^|/)libs/testing/' },
    },
    {
      name: 'projects-import-by-name',
      comment: 'A relative path into another project escapes nx affected and the build order.',
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
