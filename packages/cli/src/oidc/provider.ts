import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  genericGrantRequest,
  initiateDeviceAuthorization,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { OidcSettings } from './options.js';
import { addressOf, type Claims } from './rules.js';

/** What a browser must bring back from the provider, to be taken for the one that was sent there. */
export interface Journey {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface DeviceStart {
  /** By which the host asks the provider whether somebody has agreed. */
  readonly deviceCode: string;
  /** What the person enters, and where. */
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string | undefined;
  /** Seconds. */
  readonly expiresIn: number;
  readonly interval: number;
}

/** `refused`: what was shown does not count. `unreachable`: the provider does not answer, or not as one. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: 'refused' | 'unreachable';

  constructor(kind: ProviderError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Seconds for the provider to answer. */
const TIMEOUT_S = 10;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * An OpenID Connect provider. What it says counts only with its signature, for this client, from this issuer, in its time and,
 * in a browser, with the nonce of the journey: the library checks that.
 */
export class Provider {
  readonly #settings: OidcSettings;
  #found: Promise<Configuration> | undefined;

  constructor(settings: OidcSettings) {
    this.#settings = settings;
  }

  /** Where to send a browser, and what it must bring back. */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly journey: Journey }> {
    const journey = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const configuration = await this.#configuration();
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.scope,
      state: journey.state,
      nonce: journey.nonce,
      code_challenge: await calculatePKCECodeChallenge(journey.verifier),
      code_challenge_method: 'S256',
    });
    return { url, journey };
  }

  /** Who came back. `url` is what the browser was sent to. */
  finish(url: URL, { state, nonce, verifier }: Journey): Promise<Claims> {
    return this.#asked(async (configuration) => {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      return this.#claimsIn(configuration, await authorizationCodeGrant(configuration, url, checks));
    });
  }

  beginDevice(): Promise<DeviceStart> {
    return this.#asked(async (configuration) => {
      const { scope } = this.#settings;
      const started = await initiateDeviceAuthorization(configuration, { scope });
      return {
        deviceCode: started.device_code,
        userCode: started.user_code,
        verificationUri: started.verification_uri,
        verificationUriComplete: started.verification_uri_complete,
        expiresIn: started.expires_in,
        interval: started.interval ?? 5,
      };
    });
  }

  /** Who has agreed; `pending` as long as nobody has, `slower` if that was asked too soon. */
  finishDevice(deviceCode: string): Promise<Claims | 'pending' | 'slower'> {
    return this.#asked(async (configuration) => {
      try {
        const tokens = await genericGrantRequest(configuration, DEVICE_GRANT, { device_code: deviceCode });
        return await this.#claimsIn(configuration, tokens);
      } catch (error) {
        if (!(error instanceof ResponseBodyError)) throw error;
        if (error.error === 'authorization_pending') return 'pending';
        if (error.error === 'slow_down') return 'slower';
        throw error;
      }
    });
  }

  /** Providers may tell addresses and groups apart from the token. */
  async #claimsIn(
    configuration: Configuration,
    tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  ): Promise<Claims> {
    const claims = tokens.claims();
    if (!claims) throw new ProviderError('refused', 'the provider did not say who you are');
    const isComplete = addressOf(claims) !== undefined && claims[this.#settings.groupsClaim] !== undefined;
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
  }

  async #asked<T>(ask: (configuration: Configuration) => Promise<T>): Promise<T> {
    const configuration = await this.#configuration();
    try {
      return await ask(configuration);
    } catch (error) {
      throw asProviderError(error);
    }
  }

  /** Found out when it is needed, and again after a failure: a host starts also while the provider is down. */
  #configuration(): Promise<Configuration> {
    this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = undefined;
      throw asProviderError(error);
    });
    return this.#found;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const configuration = await discovery(
      issuer,
      clientId,
      clientSecret,
      clientSecret === undefined ? None() : undefined,
      {
        timeout: TIMEOUT_S,
        execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [], // loopback only
      },
    );
    enableNonRepudiationChecks(configuration);
    return configuration;
  }
}

function asProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  // What the provider itself says is wrong, and what it said that does not hold.
  const isRefusal =
    error instanceof ResponseBodyError || (error instanceof ClientError && !isFailure(error)) || isAnswer(error);
  return isRefusal
    ? new ProviderError('refused', 'the provider did not confirm who you are', { cause: error })
    : new ProviderError('unreachable', 'the provider does not answer', { cause: error });
}

function isFailure({ code }: ClientError): boolean {
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON';
}

/** A browser that comes back with an error, such as of somebody who did not agree. */
function isAnswer(error: unknown): boolean {
  return (error as { code?: string }).code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR';
}
