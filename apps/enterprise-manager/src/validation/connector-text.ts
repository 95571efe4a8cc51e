import { hasVisibleCharacter } from './names.ts';
import { line, uniqueName } from './text.ts';

/**
 * The name that people see; no two connectors of a gateway share it, whatever its case or Unicode
 * form.
 */
export const connectorName = () => uniqueName(128).refine(hasVisibleCharacter, 'must contain a visible character');

/** A link that a console shows. It is never fetched, and only http and https lead anywhere. */
export const webLink = () => line(2_048).refine(isWebLink, 'must be an http or https URL without user name');

function isWebLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
}
