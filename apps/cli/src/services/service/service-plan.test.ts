import { describe, expect, it } from '@jest/globals';
import { writeServiceFile } from './service-file.ts';
import { planService, type ServiceMachine } from './service-plan.ts';

const MACHINE: ServiceMachine = {
  ...{ platform: 'linux', userFolder: '/home/u', configFolder: '/home/u/.config' },
  ...{ home: '/home/u/.local/state/gatehouse', defaultHome: '/home/u/.local/state/gatehouse' },
  ...{ node: '/opt/node/bin/node', program: '/opt/$x/100%/gate house.js' },
  environment: { GATEHOUSE_HOME: '/home/u/"my" state', PATH: '/usr/bin:/100%' },
};

describe('planService', () => {
  it('plans a unit of systemd with quoted words and variables', () => {
    const plan = planService(MACHINE);
    expect(plan).toMatchObject({ label: 'gatehouse.service', file: '/home/u/.config/systemd/user/gatehouse.service' });
    const unit = writeServiceFile(plan).split('\n');
    expect(unit).toContain('ExecStart="/opt/node/bin/node" "--" "/opt/$$x/100%%/gate house.js" "start" "--all"');
    expect(unit).toContain('Environment="GATEHOUSE_HOME=/home/u/\\"my\\" state"');
    expect(unit).toContain('Environment="PATH=/usr/bin:/100%%"');
    expect(unit).toContain('KillMode=process');
  });

  it('gives each home a service of its own', () => {
    const { label } = planService({ ...MACHINE, home: '/other' });
    expect(label).toMatch(/^gatehouse-[0-9a-f]{6}\.service$/);
  });

  it('plans an agent of launchd with escaped texts', () => {
    const plan = planService({ ...MACHINE, platform: 'darwin', program: '/a&b<c>' });
    expect(plan.file).toBe('/home/u/Library/LaunchAgents/dev.gatehouse.workloads.plist');
    expect(writeServiceFile(plan)).toContain('<string>/a&amp;b&lt;c&gt;</string>');
    expect(writeServiceFile(plan)).toContain('<key>AbandonProcessGroup</key><true/>');
  });

  it('refuses Windows', () => {
    expect(() => planService({ ...MACHINE, platform: 'win32' })).toThrow('not supported on win32');
  });
});
