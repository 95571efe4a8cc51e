/**
 * The name of a field, as people read it: `/spec/principalMatchers/0/claims` is
 * `spec.principalMatchers[0].claims`. A field that a flag sets begins with the flag.
 * @param pointer JSON pointer (RFC 6901)
 * @param flags the flags by the JSON pointers of the fields that they set
 */
export function formatField(pointer: string, flags: Readonly<Record<string, string>> = {}): string {
  const prefix = Object.keys(flags)
    .filter((field) => pointer === field || pointer.startsWith(`${field}/`))
    .sort((a, b) => b.length - a.length)[0];
  const flag = prefix === undefined ? undefined : flags[prefix];
  const path = splitPointer(pointer).map((part, index) =>
    /^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`,
  );
  if (flag === undefined) return path.join('');
  return path.length < 2 ? flag : `${flag} (${path.join('')})`;
}

/** The parts of a JSON pointer (RFC 6901). */
export const splitPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
