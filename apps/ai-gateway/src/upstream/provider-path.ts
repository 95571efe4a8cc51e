import type { Provider } from '@gatehouse/ai-resources/generated/types';
import { DEFAULT_PATH_PREFIXES } from '../formats/operation.ts';

/** Creates the path of a request to a provider. @param path below the prefix */
export const createProviderPath = ({ kind, pathPrefix }: Provider, path: string): string =>
  `${pathPrefix ?? DEFAULT_PATH_PREFIXES[kind]}${path}`;
