import { Module } from '@nestjs/common';
import { BrowserSessions } from './browser-sessions.ts';
import { BrowserSessionsRepository } from './browser-sessions.repository.ts';
import { CorporateProviders } from './corporate-providers.ts';
import { CorporateSignIn } from './corporate-sign-in.ts';
import { SignInRoutes } from './sign-in-routes.ts';

/** The sign-in of users in browsers. */
@Module({
  providers: [BrowserSessions, BrowserSessionsRepository, CorporateProviders, CorporateSignIn, SignInRoutes],
  exports: [BrowserSessions, CorporateProviders, SignInRoutes],
})
export class BrowserModule {}
