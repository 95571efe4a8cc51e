import { Global, Module } from '@nestjs/common';
import { ConnectLinks } from '../mcp/ports/personal-credentials.ts';
import { SealedConnectLinks } from './connect-links.ts';

/** Provides links to the connect page to all modules. */
@Global()
@Module({
  providers: [SealedConnectLinks, { provide: ConnectLinks, useExisting: SealedConnectLinks }],
  exports: [SealedConnectLinks, ConnectLinks],
})
export class ConnectLinksModule {}
