// SPDX-License-Identifier: MIT
// A style sheet is imported as its text (build.mjs).
declare module "*.css" {
    const text: string;
    export default text;
}
