import type { TestIssuer } from './issuer.ts';

/**
 * Variables of a service without a database: free ports, a silent log, and one issuer whose tokens
 * carry roles.
 */
export const serviceEnvironment = ({ audience, issuer }: TestIssuer): Record<string, string> => ({
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'silent',
  AUDIENCE: audience,
  ISSUERS: JSON.stringify([
    {
      id: 'test',
      issuer,
      roles: { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } },
    },
  ]),
});
