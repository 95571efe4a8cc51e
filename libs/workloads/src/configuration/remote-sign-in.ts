import type { RemoteAuthConfig } from '../flags/remote-sections.ts';

/** Whether a configuration asks for a sign-in to its remote server. A bearer token replaces it. */
export function isSignInConfigured(section: RemoteAuthConfig | null | undefined): boolean {
  if (section == null || section.bearer_token || section.bearer_token_file) return false;
  return Object.values(section).some((value) => value !== undefined && value !== null && value !== '');
}
