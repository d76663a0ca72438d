import { request } from 'node:http';
import { LONGEST_WAIT_MS } from './within.mjs';

/** Without kept connections: the service ends idle ones by its own, faster clock. Of what fails, `status` is the reason. */
export function call(url, options = {}, content) {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    const fail = (error) => resolve({ status: signal.aborted ? 'no answer' : error.code });
    const sent = request(url, { ...options, agent: false, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data) => (text += data));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text, body: parse(text) }),
      );
      response.on('error', fail);
    });
    sent.on('error', fail);
    sent.end(content);
  });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
