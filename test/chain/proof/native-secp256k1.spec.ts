import { loadNativeSecp256k1 } from '../../../src/chain/proof/native-secp256k1';

describe('the native library that signs', () => {
  const elsewhere = { ecdsaSign: () => undefined };

  it('is used with its binding alone: without one, tronweb signs, and not what the package puts in its place', () => {
    const load = (name: string): unknown => {
      // As the package does on a platform that it has no binding for.
      if (name === 'secp256k1') return elsewhere;
      throw new Error('No native build was found');
    };
    expect(loadNativeSecp256k1(load)).toBeNull();
  });

  it('is there on the platforms that it has a binding for', () => {
    const { platform, arch } = process;
    if (platform === 'linux' && arch === 'x64')
      expect(loadNativeSecp256k1()).toMatchObject({ ecdsaSign: expect.anything() });
  });
});
