import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority of a test, with its files in a folder of its own. */
export interface CertificateAuthority {
  /** Path of its certificate in PEM. */
  readonly certificate: string;
  /** Issues a certificate for an IP address or a host name. @returns paths in PEM */
  issue(subject: string, use: 'server' | 'client'): { certificate: string; key: string };
  remove(): void;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const openssl = (words: readonly string[]) => execFileSync('openssl', words, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Creates an authority with the openssl of the machine. */
export function createCertificateAuthority(): CertificateAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const at = (name: string) => join(folder, name);
  const files = ['-keyout', at('ca.key'), '-out', at('ca.pem')];
  openssl(['req', '-x509', ...KEY, '-days', '2', '-subj', '/CN=gatehouse test authority', ...files]);
  let count = 0;
  return {
    certificate: at('ca.pem'),
    issue: (subject, use) => {
      const name = `${use}-${(count += 1)}`;
      const alternative = /^[\d.]+$/.test(subject) ? `IP:${subject}` : `DNS:${subject}`;
      writeFileSync(at('extensions'), `subjectAltName=${alternative}\nextendedKeyUsage=${use}Auth\n`);
      openssl(['req', ...KEY, '-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`)]);
      const signing = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '1'];
      const output = ['-extfile', at('extensions'), '-out', at(`${name}.pem`)];
      openssl(['x509', '-req', '-in', at(`${name}.csr`), ...signing, ...output]);
      return { certificate: at(`${name}.pem`), key: at(`${name}.key`) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
