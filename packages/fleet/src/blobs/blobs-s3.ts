import { AwsClient } from 'aws4fetch';
import { assertHash, type Blobs } from './blobs.js';

export interface S3BlobsOptions {
  /** The address of the bucket, such as `https://s3.eu-central-1.amazonaws.com/bucket`, with a prefix if need be. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region?: string | undefined;
}

/** Milliseconds for one request: some megabytes over a slow network. */
const REQUEST_MS = 60_000;

/** Blobs in a bucket of an S3-compatible store. */
export function s3Blobs({ url, accessKeyId, secretAccessKey, region = 'us-east-1' }: S3BlobsOptions): Blobs {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 });
  const request = async (method: string, hash: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> => {
    assertHash(hash);
    const address = `${url.replace(/\/+$/, '')}/${hash.slice(0, 2)}/${hash}`;
    const signal = AbortSignal.timeout(REQUEST_MS);
    const answer = await client.fetch(address, { method, signal, ...(body && { body }) });
    if (answer.ok || (answer.status === 404 && method !== 'PUT')) return answer;
    throw new Error(`the blob store answered ${method} with ${answer.status} ${answer.statusText}`);
  };
  return {
    put: async (hash, bytes) => {
      await (await request('PUT', hash, new Uint8Array(bytes))).body?.cancel();
    },
    get: async (hash) => {
      const answer = await request('GET', hash);
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
      await answer.body?.cancel();
      return undefined;
    },
    delete: async (hash) => {
      await (await request('DELETE', hash)).body?.cancel();
    },
  };
}
