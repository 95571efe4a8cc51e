import 'reflect-metadata';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { createClient } from '@gatehouse/contracts-enterprise-manager/client';
import { GroupDto, OwnProfileDto } from '@gatehouse/contracts-enterprise-manager/dto';
import { checkReceived } from '@gatehouse/service-kit/received';
import { Controller, Get, Headers, Module, UnauthorizedException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiOkResponse } from '@nestjs/swagger';

const { MANAGER_URL = '', ISSUER = '', AUDIENCE = '', PORT = '0' } = process.env;
const verifier = new TokenVerifier({ issuers: [{ id: 'corporate', issuer: ISSUER }], audience: AUDIENCE, fetch });
const manager = createClient({ baseUrl: MANAGER_URL });

@Controller('my-groups')
class GroupsController {
  @Get()
  @ApiOkResponse({ type: [GroupDto] })
  async list(@Headers('authorization') authorization = '') {
    const token = await verifier.verify(authorization.replace(/^Bearer /, '')).catch(() => undefined);
    if (token === undefined) throw new UnauthorizedException();
    const { data } = await manager.GET('/v1/me', { headers: { authorization } });
    return checkReceived(OwnProfileDto, data).groups;
  }
}

@Module({ controllers: [GroupsController] })
class GroupsApp {}

export const app = await NestFactory.create(GroupsApp, new FastifyAdapter());
await app.listen(PORT, '127.0.0.1');
