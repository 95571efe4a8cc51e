import { hasVisibleCharacter } from './names.ts';
import { line } from '@gatehouse/service-kit/text';
import { uniqueName } from './text.ts';

/**
 * The display name of a connector. It is unique in a gateway, also in other case or Unicode form.
 */
export const connectorName = () => uniqueName(128).refine(hasVisibleCharacter, 'must contain a visible character');

/** An http or https link that the console shows. The service never fetches it. */
export const webLink = () =>
  line(2_048).refine(isWebLink, 'must be an http or https URL without user name and password');

function isWebLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
}
