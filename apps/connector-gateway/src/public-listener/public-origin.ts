import { Injectable } from '@nestjs/common';

/** Path of the redirect URI of this gateway at the providers of connectors. */
export const CALLBACK_PATH = '/oauth/callback';
/** Path of the client id metadata document of this gateway. */
export const CLIENT_METADATA_PATH = '/oauth/client-metadata.json';

/** The origin under which browsers and providers reach the public listener. */
@Injectable()
export class PublicOrigin {
  private read: () => string = () => {
    throw new Error('the public listener is not registered yet');
  };

  /** Sets the public address. It is read at each use, since the port may be chosen later. */
  use(publicUrl: () => string): void {
    this.read = publicUrl;
  }

  /** The public address, perhaps with a path, without a trailing slash. */
  getUrl(): string {
    return this.read();
  }

  /** Scheme, host and port, without a trailing slash. */
  get(): string {
    return new URL(this.read()).origin;
  }

  /** The redirect URI for providers of connectors. */
  getCallbackUrl(): string {
    return `${this.get()}${CALLBACK_PATH}`;
  }

  /** The client id of the metadata document; undefined over http, where no provider reads it. */
  findClientMetadataUrl(): string | undefined {
    const origin = this.get();
    return origin.startsWith('https:') ? `${origin}${CLIENT_METADATA_PATH}` : undefined;
  }
}
