const COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const HOST =
  '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\\[[0-9a-fA-F:]+\\])';
const REFERENCE = new RegExp(
  `^(?:(${HOST}(?::[0-9]{1,5})?)/)?(${COMPONENT}(?:/${COMPONENT})*)(?::(\\w[\\w.-]{0,127}))?(?:@([a-z0-9]+:[0-9a-fA-F]{32,}))?$`,
);
const IMAGE_ID = /^sha256:[0-9a-f]{64}$/;

/** Maximum length of a name (host and path) in the OCI distribution specification. */
const MAX_NAME_LENGTH = 255;

/** Whether the text is an OCI reference (`[host[:port]/]path[:tag][@digest]`) or an image id. */
export function isImageReference(text: string): boolean {
  if (IMAGE_ID.test(text)) return true;
  const match = REFERENCE.exec(text);
  if (!match) return false;
  // Without a dot or a port the first part is not a host, so it must be in lower case.
  if (match[1] !== undefined && !/[.:]|^localhost$/.test(match[1]) && match[1] !== match[1].toLowerCase()) return false;
  return (match[1]?.length ?? 0) + (match[2]?.length ?? 0) <= MAX_NAME_LENGTH;
}

/** Splits a reference for the engine's pull call: the name, and the tag or digest (`latest`). */
export function splitImageReference(reference: string): { name: string; tag: string } {
  const at = reference.indexOf('@');
  if (at !== -1) return { name: reference.slice(0, at).replace(/:[^/:]*$/, ''), tag: reference.slice(at + 1) };
  const colon = reference.lastIndexOf(':');
  if (colon > reference.lastIndexOf('/')) return { name: reference.slice(0, colon), tag: reference.slice(colon + 1) };
  return { name: reference, tag: 'latest' };
}

/** Whether a reference has the tag `latest`, which names another image after each release. */
export function isMovingReference(reference: string): boolean {
  return !IMAGE_ID.test(reference) && splitImageReference(reference).tag === 'latest';
}
