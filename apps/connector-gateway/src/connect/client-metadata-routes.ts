import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { CLIENT_NAME } from '../providers/upstream-client.ts';
import { CLIENT_METADATA_PATH, PublicOrigin } from '../public-listener/public-origin.ts';
import type { PublicRoutes } from '../public-listener/public-routes.ts';

/** The metadata document of this gateway as a client, whose address is its client id. */
@Injectable()
export class ClientMetadataRoutes implements PublicRoutes {
  constructor(private readonly origin: PublicOrigin) {}

  register(server: FastifyInstance): void {
    server.get(CLIENT_METADATA_PATH, { config: { gatehouse: { access: 'public' } } }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send({
        client_id: `${this.origin.get()}${CLIENT_METADATA_PATH}`,
        client_name: CLIENT_NAME,
        client_uri: this.origin.get(),
        redirect_uris: [this.origin.getCallbackUrl()],
        application_type: 'web',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }),
    );
  }
}
