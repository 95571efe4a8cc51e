import { afterAll, afterEach } from '@jest/globals';
import type { Engine } from '@gatehouse/testing/engine';
import { available, type Fixture } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine, type ImageName } from '@gatehouse/testing/images';
import { buildSmallHttpServer, buildSmallServer, smallServerEngine } from '@gatehouse/testing/small-server';
import { Gatehouse } from './gatehouse.ts';

/** The command line with a home for each test of a suite, which is removed after it. */
export function useGatehouse(engine?: Engine): Gatehouse {
  const gatehouse = new Gatehouse(engine);
  afterEach(() => gatehouse.renew(), 60_000);
  afterAll(() => gatehouse.close(), 60_000);
  return gatehouse;
}

/** An engine with the image of server-everything, for tests of its tools and its arguments. */
export async function everythingServer(): Promise<Fixture<{ readonly engine: Engine; readonly image: ImageName }>> {
  const found = await imageEngine();
  return found.available ? available({ engine: found.value, image: await everythingImage(found.value) }) : found;
}

/** The transports of the small servers, with the flags of `run`. */
export const TRANSPORTS = ['stdio', 'streamable-http'] as const;

/** An engine with the images of small servers, which start at once. */
interface SmallServers {
  readonly engine: Engine;
  /** The images by transport. Their tool is `greet`. */
  readonly images: Readonly<Record<(typeof TRANSPORTS)[number], ImageName>>;
}

/** See {@link SmallServers}. */
export async function smallServers(): Promise<Fixture<SmallServers>> {
  const found = await smallServerEngine();
  if (!found.available) return found;
  const engine = found.value;
  const images = { stdio: await buildSmallServer(engine), 'streamable-http': await buildSmallHttpServer(engine) };
  return available({ engine, images });
}
