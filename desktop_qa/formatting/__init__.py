"""A document's structure as a language model reads it (HiQA, section 3.1 and Algorithm 1).

The text of the pages goes to the model window by window; what it writes of headings and tables is
put back onto the words of the pages, and what has no place there is not taken. So the words, pages
and rectangles stay those of the offline reading. No model is called from here.
"""
