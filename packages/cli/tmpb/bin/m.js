import '../bundle/moorage.js';
