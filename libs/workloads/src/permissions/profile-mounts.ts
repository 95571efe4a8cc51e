import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { flagError, type WorkloadError } from '../errors/workload-error.ts';
import type { DeclaredMount } from '../mounts/mount.ts';
import {
  cleanTarget,
  explain,
  formatMount,
  type MountDeclaration,
  parseMountDeclaration,
  requireFewMounts,
} from '../mounts/mount-declaration.ts';
import type { PermissionProfile } from './permission-profile.ts';

type Refuse = (member: string, problem: string) => WorkloadError;

/**
 * Lists the mounts of a profile. Resources of an engine, such as `volume://name`, are left out: an
 * absent mount gives no right.
 * @throws WorkloadError (usage) that names the member
 */
export function listProfileMounts(profile: PermissionProfile | null): DeclaredMount[] {
  const refuse: Refuse = (member, problem) => flagError(`permission_profile.${member}`, problem);
  return listDeclarations(profile, refuse).flatMap(({ member, declaration, readOnly }) => {
    if (declaration.kind === 'resource') return [];
    const { source, target } = declaration;
    if (!isAbsolute(source)) throw refuse(member, `has the host path '${source}', which is not absolute`);
    return [
      { source, target: target ?? clean(source, member, refuse), readOnly, origin: `permission_profile.${member}` },
    ];
  });
}

/**
 * Resolves the mounts of a profile that the user has chosen: relative host paths become absolute.
 * @returns the profile with `host:container` in place of its mounts, and the members that are left
 * out
 * @throws WorkloadError (usage) for a bad form or a missing host path; its message names the member
 */
export function resolveProfileMounts(
  profile: PermissionProfile,
  folder: string,
  refuse: Refuse,
): { profile: PermissionProfile; ignored: string[] } {
  const resolved = listDeclarations(profile, refuse).map(({ member, declaration, readOnly }) => {
    if (declaration.kind === 'resource') return { member, readOnly, text: undefined };
    const { source, target } = declaration;
    const absolute = resolve(folder, source);
    if (target === undefined && !isAbsolute(source))
      throw refuse(member, `is the relative path '${source}'; write host-path:container-path`);
    if (!existsSync(absolute)) throw refuse(member, `names the host path '${source}', which does not exist`);
    const mount = { source: absolute, target: target ?? clean(source, member, refuse), readOnly: false };
    return {
      member,
      readOnly,
      text: explain(
        () => formatMount(mount),
        (problem) => refuse(member, problem),
      ),
    };
  });
  const pick = (wanted: boolean) =>
    resolved.flatMap(({ readOnly, text }) => (readOnly === wanted && text !== undefined ? [text] : []));
  const { read, write } = profile;
  return {
    profile: { ...profile, ...(read && { read: pick(true) }), ...(write && { write: pick(false) }) },
    ignored: resolved.filter(({ text }) => text === undefined).map(({ member }) => member),
  };
}

function listDeclarations(profile: PermissionProfile | null, refuse: Refuse) {
  return (['read', 'write'] as const).flatMap((list) => {
    const texts = profile?.[list] ?? [];
    explain(
      () => requireFewMounts(texts),
      (problem) => refuse(list, problem),
    );
    return texts.map((text, index): { member: string; declaration: MountDeclaration; readOnly: boolean } => {
      const member = `${list}.${index}`;
      const declaration = explain(
        () => parseMountDeclaration(text),
        (problem) => refuse(`${member} '${text}'`, problem),
      );
      return { member, declaration, readOnly: list === 'read' };
    });
  });
}

const clean = (path: string, member: string, refuse: Refuse): string =>
  explain(
    () => cleanTarget(path),
    (problem) => refuse(member, problem),
  );
