import { request } from 'node:http';

/** Without kept connections: the service ends idle ones by its own, faster clock. Of what fails, `status` is the reason. */
export function call(url, options = {}, content) {
  return new Promise((resolve) => {
    const sent = request(url, { ...options, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data) => (text += data));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text, body: parse(text) }),
      );
      response.on('error', (error) => resolve({ status: error.code }));
    });
    sent.on('error', (error) => resolve({ status: error.code }));
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
