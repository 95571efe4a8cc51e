import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parseAuditFlags } from './audit.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown) {
  writeFileSync(join(folder, 'audit.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return parseAuditFlags({ auditConfig: 'audit.json' }, folder);
}

describe('The audit of a command line', () => {
  it('is on with --enable-audit or with --audit-config', () => {
    expect(parseAuditFlags({}, folder)).toBeUndefined();
    expect(parseAuditFlags({ enableAudit: false }, folder)).toBeUndefined();
    expect(parseAuditFlags({ enableAudit: true }, folder)).toEqual({ config: {}, path: undefined });
    expect(read({ component: 'files' })).toEqual({
      config: { component: 'files' },
      path: join(folder, 'audit.json'),
    });
  });

  it('reads all members of a file, and keeps those that it does not know', () => {
    const config = {
      enabled: true,
      component: 'files',
      eventTypes: ['mcp_tool_call', 'sse_connection'],
      excludeEventTypes: null,
      includeRequestData: true,
      includeResponseData: true,
      detectApplicationErrors: false,
      maxDataSize: 2_048,
      maxDelegationDepth: 3,
      other: 1,
    };
    expect(read({ ...config, logFile: 'audit.log' })?.config).toEqual({
      ...config,
      logFile: join(folder, 'audit.log'),
    });
  });

  it.each([
    ['is not JSON', 'x'],
    ['is not valid: maxDataSize', { maxDataSize: -1 }],
    ['is not valid: eventTypes.0: "mcp_tools" is not one of mcp_initialize', { eventTypes: ['mcp_tools'] }],
    ['is not valid: includeRequestData', { includeRequestData: 'yes' }],
    ['is not valid: the document', []],
    ['has the logFile missing/audit.log, whose folder does not exist', { logFile: 'missing/audit.log' }],
  ])('refuses a file that %s', (problem, content) => {
    expect(() => read(content)).toThrow(`--audit-config audit.json ${problem}`);
  });

  it('writes into no file of the user that is not an audit log', () => {
    const log = join(folder, 'events.log');
    const written = () => read({ logFile: log })?.config.logFile;
    expect(written()).toBe(log);
    writeFileSync(log, '{"auditId":"1"}\n');
    expect(written()).toBe(log);
    writeFileSync(log, 'alias ls=ls\n');
    expect(written).toThrow('which exists and is no audit log');
    const link = join(folder, 'link.log');
    symlinkSync('/etc/hostname', link);
    const refused: [string, string][] = [
      [join(homedir(), '.bash_login'), 'which belongs to files that your next shell or sign-in runs'],
      ['/etc/gatehouse-audit.log', 'which belongs to the settings of this machine'],
      [link, 'which belongs to the settings of this machine'],
    ];
    for (const [logFile, reason] of refused) expect(() => read({ logFile })).toThrow(reason);
    expect(read({ logFile: '/dev/null' })?.config.logFile).toBe('/dev/null');
  });

  it.each(['', 'missing.json'])('refuses the path %j', (auditConfig) => {
    expect(() => parseAuditFlags({ auditConfig }, folder)).toThrow(`--audit-config ${auditConfig}`);
  });
});
