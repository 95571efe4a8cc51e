import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine } from '@gatehouse/testing/images';
import { echo, Gatehouse, type Shown } from './gatehouse.ts';
import { runInContainer } from './container-shell.ts';

describeWhen(await imageEngine(), 'the permissions of a workload', (engine) => {
  let gatehouse: Gatehouse;
  let folder: string;
  let image: string;
  beforeEach(async () => {
    gatehouse = new Gatehouse(engine);
    folder = mkdtempSync(join(tmpdir(), 'permissions-'));
    image = await everythingImage(engine);
  }, 300_000);
  afterEach(async () => {
    await gatehouse.close();
    rmSync(folder, { recursive: true });
  }, 60_000);

  const writeProfile = (profile: object): string => {
    const path = join(folder, 'profile.json');
    writeFileSync(path, JSON.stringify(profile));
    return path;
  };

  it('are those of the profile: its folders, and a root that the server cannot change', async () => {
    for (const name of ['in', 'out']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'in', 'a, b'), 'content');
    const profile = writeProfile({
      read: [`${folder}/in:/data in`],
      write: [`${folder}/out:/out`],
      network: { outbound: { insecure_allow_all: true } },
      read_only_root: true,
      allow_transport: ['tcp'],
    });
    const { code, stdout, stderr } = await gatehouse.call([
      'run',
      image,
      '--name',
      'p',
      '--permission-profile',
      profile,
      '--json',
      '--',
      'streamableHttp',
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('allow_transport is not') });
    expect((await echo((JSON.parse(stdout) as Shown).url, 'hello')).tools).toContain('echo');
    const [container] = await gatehouse.containers();
    const shell = (script: string) => runInContainer(engine, container!.Id, script);
    expect(await shell('cat "/data in/a, b"')).toBe('content');
    expect(await shell('echo x > "/data in/new"')).toContain('Read-only file system');
    expect(await shell('echo x > /new')).toContain('Read-only file system');
    expect(await shell('echo x > /out/new && echo y > /tmp/new && cat /out/new /tmp/new')).toBe('x\ny\n');
    const status = await shell('cat /proc/self/status');
    for (const line of ['CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000', 'NoNewPrivs:\t1', 'Seccomp:\t2'])
      expect(status).toContain(line);
  }, 60_000);

  it('exclude the paths that ignore files hide from a hostile server', async () => {
    const project = join(folder, 'project');
    for (const path of ['secrets', 'sub/deep']) mkdirSync(join(project, path), { recursive: true });
    const files = { '.env': 'SECRET', 'secrets/key': 'SECRET', 'sub/deep/.env': 'SECRET', 'sub/visible': 'shown' };
    for (const [path, content] of Object.entries({ ...files, '.gatehouseignore': 'secrets/\n' }))
      writeFileSync(join(project, path), content);
    mkdirSync(join(folder, 'config', 'gatehouse'), { recursive: true });
    writeFileSync(join(folder, 'config', 'gatehouse', 'gatehouseignore'), '.env\n');
    const env = { XDG_CONFIG_HOME: join(folder, 'config') };

    const first = await gatehouse.call(
      [
        'run',
        image,
        '--name',
        'hidden',
        '-v',
        `${project}:/p`,
        '--print-resolved-overlays',
        '--json',
        '--',
        'streamableHttp',
      ],
      env,
    );
    expect(first).toMatchObject({ code: 0 });
    expect((JSON.parse(first.stdout) as { overlays: object[] }).overlays).toMatchObject([
      { mount: '/p', path: '/p/.env', kind: 'file', rule: '.env', line: 1 },
      { path: '/p/.gatehouseignore', line: 0 },
      { path: '/p/secrets', kind: 'folder', rule: 'secrets/', file: join(project, '.gatehouseignore') },
      { path: '/p/sub/deep/.env', file: join(folder, 'config', 'gatehouse', 'gatehouseignore') },
    ]);
    const shellOf = async () => {
      const [container] = await gatehouse.containers();
      return (script: string) => runInContainer(engine, container!.Id, `cd /p; ${script}`);
    };
    let shell = await shellOf();
    expect(await shell('cat .env sub/deep/.env .gatehouseignore; ls -A secrets')).toBe('');
    expect(await shell('cat sub/visible')).toBe('shown');
    // The server can neither change, move nor remove hidden entries. A move of their folder takes
    // them along.
    for (const attack of ['echo x > .env', 'rm .env', 'mv .env x', 'ln .env x', 'mv secrets x', 'rmdir secrets'])
      expect(await shell(`${attack} && echo done`)).toMatch(/Read-only|busy|Invalid cross-device|not permitted/);
    for (const attack of ['echo > .gatehouseignore', 'rm .gatehouseignore', 'mv .gatehouseignore x'])
      expect(await shell(`${attack} && echo done`)).toMatch(/Read-only|busy/);
    expect(await shell('umount .env && echo done')).not.toContain('done');
    expect(await shell('mv sub moved && cat moved/deep/.env && rm -rf moved; echo SECRET2 > sub.env')).not.toContain(
      'SECRET',
    );
    expect(readFileSync(join(project, 'moved/deep/.env'), 'utf8')).toBe('SECRET');

    // A server cannot show a file by rules of its own, and a later start hides what is new.
    await shell('echo "!*" > moved/.gatehouseignore; echo "!secrets/" > .thvignore; echo new > moved/.env');
    await gatehouse.ok('stop', 'hidden');
    await gatehouse.ok('start', 'hidden');
    shell = await shellOf();
    expect(await shell('cat .env moved/.env moved/deep/.env; ls -A secrets')).toBe('');

    await gatehouse.ok('stop', 'hidden');
    writeFileSync(join(project, '.gatehouseignore'), '[x\n');
    const { code, stderr } = await gatehouse.call(['start', 'hidden']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('.gatehouseignore, line 1') });
    expect((await gatehouse.containers()).filter(({ State }) => State === 'running')).toEqual([]);
  }, 120_000);

  it('never include the engine, the machine or the credentials of the user', async () => {
    symlinkSync(engine.dockerHost.replace('unix://', ''), join(folder, 'harmless'));
    mkdirSync(join(folder, 'home', '.ssh'), { recursive: true });
    const profile = writeProfile({ read: ['/:/host'] });
    for (const [flags, message] of [
      [['-v', `${folder}/harmless:/x`], 'the socket of'],
      [['-v', '/var/run:/x:ro'], '--volume /var/run:/x:ro'],
      [['-v', `${folder}/home/.ssh:/x:ro`], 'credentials'],
      [['-v', `${gatehouse.home}:/x`], 'the state of Gatehouse'],
      [['--permission-profile', profile], 'permission_profile.read.0'],
    ] as const) {
      const env = { HOME: join(folder, 'home'), DOCKER_CONFIG: folder };
      const { code, stderr } = await gatehouse.call(['run', image, ...flags], env);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
      expect(await gatehouse.leftovers()).toEqual([]);
    }
  }, 60_000);
});
