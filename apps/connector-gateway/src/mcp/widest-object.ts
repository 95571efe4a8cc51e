/**
 * Whether an object anywhere in a JSON value has more than `most` members. Validators, sorting and copies cost far more for one object of many members than for
 * many small objects.
 */
export function hasWiderObject(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next !== 'object') continue;
    const members = Object.values(next);
    if (!Array.isArray(next) && members.length > most) return true;
    for (const member of members) if (member !== null && typeof member === 'object') open.push(member);
  }
  return false;
}
